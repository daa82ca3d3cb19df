// SPDX-License-Identifier: Apache-2.0
#include "graph_layout.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>

extern char** environ;

namespace weir {
namespace {

using Json = nlohmann::json;

constexpr double pixels_per_inch = 72;  // of dot: a point is a pixel here

std::string inches(int pixels) { return fmt::format("{:.4f}", pixels / pixels_per_inch); }

// A label is a table of a fixed size, so that the place it takes depends on no font.
std::string dot_text(const GraphShape& shape) {
  std::string text = fmt::format(
      "digraph g {{\nrankdir={}; nodesep=0.25; ranksep=0.5; splines=true;\n"
      "node [shape=box, fixedsize=true, label=\"\", width={}, height={}];\n",
      shape.downwards ? "TB" : "LR", inches(shape.box_width), inches(shape.box_height));
  for (std::size_t i = 0; i < shape.boxes; ++i) text += fmt::format("b{};\n", i);
  for (std::size_t i = 0; i < shape.arrows.size(); ++i)
    text += fmt::format(
        "b{} -> b{} [id=\"{}\", label=<<table border=\"0\" fixedsize=\"true\" width=\"{}\" "
        "height=\"{}\"><tr><td></td></tr></table>>];\n",
        shape.arrows[i].from, shape.arrows[i].to, i, shape.arrows[i].label_width,
        shape.label_height);
  return text + "}\n";
}

/// A file in memory.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : handle_{memfd_create(name, MFD_CLOEXEC)} {}
  ~MemoryFile() {
    if (0 <= handle_) close(handle_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] int handle() const noexcept { return handle_; }
  [[nodiscard]] bool fill(const std::string& text) const {
    std::size_t done = 0;
    while (done < text.size()) {
      const ssize_t written = write(handle_, text.data() + done, text.size() - done);
      if (written <= 0) return false;
      done += static_cast<std::size_t>(written);
    }
    return lseek(handle_, 0, SEEK_SET) == 0;
  }
  [[nodiscard]] std::string content() const {
    std::string text;
    std::array<char, 4096> part{};
    lseek(handle_, 0, SEEK_SET);
    for (ssize_t size; 0 < (size = read(handle_, part.data(), part.size()));)
      text.append(part.data(), static_cast<std::size_t>(size));
    return text;
  }

 private:
  const int handle_;
};

// Runs dot; whether it ended well.
bool run_dot(const MemoryFile& in, const MemoryFile& out) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return false;
  posix_spawn_file_actions_adddup2(&actions, in.handle(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.handle(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string program = "dot", option = "-Tjson0";
  std::array<char*, 3> arguments{program.data(), option.data(), nullptr};
  pid_t child = -1;
  const int error =
      posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return false;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Numbers of a text such as "e,12.5,3 1,2 3,4"; all that is between them is left out.
std::vector<double> numbers_of(const std::string& text) {
  std::vector<double> numbers;
  for (const char* at = text.c_str(); *at != '\0';) {
    char* end = nullptr;
    const double number = *at == 'e' ? 0 : std::strtod(at, &end);
    if (end == nullptr || end == at) {
      ++at;
      continue;
    }
    numbers.push_back(number);
    at = end;
  }
  return numbers;
}

/// Points of dot, whose y grows upwards.
class DotReader {
 public:
  DotReader(const GraphShape& shape, const Json& json) : shape_{shape}, json_{json} {}

  GraphLayout read() {
    const std::vector<double> box = numbers_of(json_.at("bb").get<std::string>());
    layout_.width = box.at(2);
    layout_.height = box.at(3);
    layout_.boxes.resize(shape_.boxes);
    layout_.arrows.resize(shape_.arrows.size());
    const Json nodes = json_.value("objects", Json::array());
    if (nodes.size() != shape_.boxes) throw Json::out_of_range::create(401, "boxes", &json_);
    for (const Json& node : nodes) {
      const auto number = std::stoul(node.at("name").get<std::string>().substr(1));
      layout_.boxes.at(number) = points_of(node, "pos").at(0);
    }
    for (const Json& edge : json_.value("edges", Json::array())) read_arrow(edge);
    return std::move(layout_);
  }

 private:
  [[nodiscard]] std::vector<GraphLayout::Point> points_of(const Json& json, const char* key) const {
    const std::vector<double> numbers = numbers_of(json.at(key).get<std::string>());
    std::vector<GraphLayout::Point> points;
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
      points.push_back({numbers[i], layout_.height - numbers[i + 1]});
    return points;
  }
  // "e,x,y x,y x,y ...": the tip first, then the curve.
  void read_arrow(const Json& edge) {
    GraphLayout::Arrow& arrow = layout_.arrows.at(std::stoul(edge.at("id").get<std::string>()));
    arrow.curve = points_of(edge, "pos");
    arrow.tip = arrow.curve.at(0);
    arrow.curve.erase(arrow.curve.begin());
    if (arrow.curve.size() % 3 != 1) throw Json::out_of_range::create(401, "curve", &json_);
    arrow.label = points_of(edge, "lp").at(0);
  }

  const GraphShape& shape_;
  const Json& json_;
  GraphLayout layout_;
};

}  // namespace

std::optional<GraphLayout> layout_of_dot(const GraphShape& shape, const std::string& json) {
  try {
    const Json parsed = Json::parse(json);
    return DotReader{shape, parsed}.read();
  } catch (const std::exception&) {  // another version of Graphviz: its program writes otherwise
    return std::nullopt;
  }
}

std::optional<GraphLayout> lay_out_by_dot(const GraphShape& shape) {
  const MemoryFile in{"dot-in"}, out{"dot-out"};
  if (in.handle() < 0 || out.handle() < 0 || !in.fill(dot_text(shape)) || !run_dot(in, out))
    return std::nullopt;
  return layout_of_dot(shape, out.content());
}

}  // namespace weir
