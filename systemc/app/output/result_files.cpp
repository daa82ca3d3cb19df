// SPDX-License-Identifier: Apache-2.0
#include "result_files.hpp"

#include <nlohmann/json.hpp>
#include <system_error>

#include "text/format.hpp"
#include "weir/config/files/regular_file.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t max_result_bytes = std::uintmax_t{1} << 30;

// Looks for what no run writes and what would be too much to read, before anything is built of it.
class ResultCheck : public nlohmann::json_sax<nlohmann::json> {
 public:
  [[nodiscard]] const std::string& found() const noexcept { return found_; }

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t& written) override {
    return refuse("holds " + written + " where a run writes an integer");
  }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return refuse("is not JSON"); }
  bool start_object(std::size_t) override {
    in_object_ = true;
    return open();
  }
  bool start_array(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t&) override { return true; }
  bool parse_error(std::size_t at, const std::string&,
                   const nlohmann::detail::exception&) override {
    return refuse("is not JSON from byte " + std::to_string(at) + " on");
  }

 private:
  static constexpr std::uint64_t max_values = 50'000'000;
  static constexpr unsigned max_depth = 64;

  bool refuse(const std::string& why) {
    found_ = why;
    return false;
  }
  bool value() {
    if (!in_object_) return refuse("is not a JSON object");
    return ++values_ <= max_values ||
           refuse("holds more than " + format_quantity(max_values) + " values");
  }
  bool open() {
    if (max_depth < ++depth_)
      return refuse("has more than " + std::to_string(max_depth) + " levels");
    return value();
  }
  bool close() {
    --depth_;
    return true;
  }

  bool in_object_{false};  // the whole file is one
  std::uint64_t values_{0};
  unsigned depth_{0};
  std::string found_;
};

}  // namespace

void check_result_folder(const fs::path& folder, std::string_view makers) {
  std::error_code ignored;
  if (fs::is_directory(folder, ignored)) return;
  const bool exists = fs::exists(folder, ignored);
  throw ConfigError("DIR", folder.string(),
                    std::string{exists ? "is not a folder" : "does not exist"} +
                        "; must be a result folder of " + std::string{makers});
}

std::string read_result(const fs::path& folder, const std::string& file, std::string_view makers) {
  check_result_folder(folder, makers);
  const auto fail = [&](const std::string& why) {
    throw ConfigError(
        "DIR", folder.string(),
        "must be a result folder of " + std::string{makers} + "; " + file + " " + why);
  };
  std::error_code ignored;
  if (!fs::exists(folder / file, ignored)) fail("is not in it");
  std::string contents;
  try {
    contents = read_regular_file(folder / file, max_result_bytes);
  } catch (const std::system_error& error) {
    fail("cannot be read: " + error.code().message());
  } catch (const ConfigError& error) {
    fail(error.legal());
  }
  ResultCheck check;
  if (!nlohmann::json::sax_parse(contents, &check)) fail(check.found());
  return contents;
}

void refuse_results(const std::string& of, const std::string& why) {
  throw ConfigError("DIR", of, "must hold results of this version: " + why);
}

void refuse_results(const std::string& of, const nlohmann::json::exception& why) {
  const std::string what = why.what();  // "[json.exception.out_of_range.403] key 'ports' ..."
  const std::size_t end = what.find("] ");
  refuse_results(of, end == std::string::npos ? what : what.substr(end + 2));
}

}  // namespace weir
