// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/wave/wave_writer.hpp"

#include <array>
#include <cerrno>
#include <cstring>

#include "wave_formats.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

struct Format {
  std::string_view extension;
  std::unique_ptr<WaveWriter> (*make)(OutputFile file);
};

constexpr std::array<Format, 2> formats{{{".fst", make_fst_writer}, {".vcd", make_vcd_writer}}};

}  // namespace

std::unique_ptr<WaveWriter> make_wave_writer(const std::filesystem::path& file, NamedBy by) {
  for (const Format& format : formats) {
    if (file.extension() != format.extension) continue;
    errno = 0;
    std::unique_ptr<WaveWriter> writer = format.make(OutputFile{"--wave", file, by});
    if (writer == nullptr)
      throw ConfigError("--wave", file.string(),
                        std::string{"cannot be written: "} + std::strerror(errno));
    return writer;
  }
  throw ConfigError("--wave", file.string(), "must end in .fst or .vcd");
}

}  // namespace weir
