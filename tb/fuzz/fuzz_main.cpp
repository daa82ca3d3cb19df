// SPDX-License-Identifier: Apache-2.0
// The fuzzer of all readers: libFuzzer brings main(). One program, because linking is what takes
// the time.
//
//   weir_fuzz --reader=NAME [options of libFuzzer] [corpus folders and files]
//   weir_fuzz --readers     the table of readers, a line each: name, tab, inputs
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz/reader_table.hpp"

namespace {

const weir::fuzz::Reader* chosen = nullptr;

void print_readers() {
  for (const weir::fuzz::Reader& reader : weir::fuzz::readers())
    std::printf("%s\t%s\n", std::string{reader.name}.c_str(), std::string{reader.what}.c_str());
}

}  // namespace

// libFuzzer ignores options with two dashes; they are for us.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view option = "--reader=";
  for (int i = 1; i < *argc; ++i) {
    const std::string_view word{(*argv)[i]};
    if (word == "--readers") {
      print_readers();
      std::exit(0);
    }
    if (word.substr(0, option.size()) == option)
      chosen = weir::fuzz::reader_named(word.substr(option.size()));
  }
  if (chosen != nullptr) return 0;
  std::fprintf(stderr, "weir_fuzz: --reader=NAME must name one of\n");
  print_readers();
  std::exit(2);
}

// What a reader throws that is no refusal ends the process with the place that threw it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->read({reinterpret_cast<const char*>(data), size});
  return 0;
}
