// SPDX-License-Identifier: Apache-2.0
// The compiled part of the Python module `weir` (docs/guide/python.md): load a scenario, run it in
// a child process, get the summary and time series. It only wraps the library, which contains every
// rule.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "weir/config/chip/configured_values.hpp"
#include "weir/config/format/units.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/version.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/measurement.hpp"
#include "weir/trace/summary/series_recorder.hpp"
#include "weir/trace/summary/summary_json.hpp"

namespace py = pybind11;

// libsystemc's main() refers to this function; it is never called here.
__attribute__((visibility("default"))) int sc_main(int, char*[]) { return 1; }

namespace weir {
namespace {

/// A scenario file with its overrides, checked.
struct LoadedScenario {
  std::string file;
  std::vector<std::string> overrides;
  Scenario scenario;
  std::string keys;  ///< All keys and values, without their lines.
};

LoadedScenario loaded_from(const std::string& file, const std::vector<std::string>& overrides) {
  LoadedScenario loaded{file, overrides, load_scenario(file, overrides), {}};
  for (const ConfiguredValue& value : configured_values(file, overrides))
    loaded.keys += value.key + " = " + value.value + "\n";
  // Found again from another working directory, too, by a process that unpickles it.
  if (file != "-") loaded.file = std::filesystem::absolute(file).string();
  return loaded;
}

LoadedScenario load(const py::object& file, const std::vector<std::string>& overrides) {
  return loaded_from(py::str(file), overrides);
}

// A scenario is pickled as the file and overrides that it was made of.
py::tuple reduced(const LoadedScenario& loaded) {
  if (loaded.file == "-")
    throw ConfigError("file", loaded.file, "must be a file where a Scenario is pickled");
  return py::make_tuple(py::module_::import("weir.program").attr("_load_again"),
                        py::make_tuple(loaded.file, loaded.overrides, loaded.keys));
}

LoadedScenario load_again(const std::string& file, const std::vector<std::string>& overrides,
                          const std::string& keys) {
  LoadedScenario loaded = loaded_from(file, overrides);
  if (loaded.keys != keys)
    throw ConfigError("file", file,
                      "has other values than when the Scenario was loaded; load it again");
  return loaded;
}

// The message of a child: "length:bytes" of each field.
void append(std::string& message, const std::string& field) {
  message += std::to_string(field.size()) + ':' + field;
}
template <class T>
void append(std::string& message, const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  append(message, bytes);
}
std::string next_field(const std::string& message, std::size_t& at) {
  const std::size_t colon = message.find(':', at);
  const std::size_t length = std::stoull(message.substr(at, colon - at));
  at = colon + 1 + length;
  return message.substr(colon + 1, length);
}
/// The values of a field, which are of type T, as an array of type As.
template <class T, class As = T>
py::array_t<As> next_array(const std::string& message, std::size_t& at) {
  const std::string bytes = next_field(message, at);
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  py::array_t<As> array(static_cast<py::ssize_t>(values.size()));
  std::copy(values.begin(), values.end(), array.mutable_data());
  return array;
}

std::string run_here(const Scenario& scenario, const std::vector<std::string>& names,
                     Picoseconds every) {
  Network network{scenario};
  const Measurement measurement{network};
  SeriesRecorder recorder{scenario, names, every};
  network.watch(recorder);
  network.run_until(scenario.until);
  network.finish();
  recorder.finish(network.now());
  check_conservation(network);
  std::string message;
  append(message, to_json(measurement.summary()));
  for (std::size_t i = 0; i < recorder.series().size(); ++i) {
    const Series& series = recorder.series()[i];
    append(message, recorder.times_of(i));
    append(message, std::to_string(series.columns.size()));
    for (const SeriesColumn& column : series.columns) {
      append(message, std::string{column.name});
      append(message, std::string{column.is_flag ? "bool" : "int64"});
      append(message, column.values);
    }
  }
  return message;
}

// Runs one job in a child; Ctrl-C kills it and is Python's KeyboardInterrupt.
std::string in_child(const ChildJob& job) {
  std::optional<ChildResult> result;
  bool asked = false;
  bool interrupted = false;
  run_child_queue({[&]() -> std::optional<ChildJob> {
                     if (std::exchange(asked, true)) return std::nullopt;
                     return job;
                   },
                   [&](std::size_t, const ChildResult& ended) { result = ended; },
                   [&] { return interrupted = interrupted || PyErr_CheckSignals() != 0; }},
                  1);
  if (interrupted) throw py::error_already_set();
  if (!result) throw ModelError("the run ended without a result");
  if (result->ok) return result->output;
  if (result->exit_code == 2) throw std::invalid_argument(result->error);
  throw ModelError(result->error);
}

/// The names that `series` gives; one name alone is a list of one.
std::vector<std::string> names_in(const py::object& series, const Scenario& scenario) {
  if (py::isinstance<py::str>(series)) return {series.cast<std::string>()};
  std::vector<std::string> names;
  if (py::isinstance<py::iterable>(series))
    for (const py::handle& name : series) {
      if (!py::isinstance<py::str>(name)) break;
      names.push_back(name.cast<std::string>());
    }
  if (!py::isinstance<py::sequence>(series) || names.size() != py::len(series))
    throw ConfigError(
        "series", py::repr(series).cast<std::string>(),
        "must be a name or a list of names, such as " + SeriesRecorder::examples(scenario));
  return names;
}

/// An object of a class of the part in Python.
py::object made(const char* name) { return py::module_::import("weir.result").attr(name)(); }

py::object run(const LoadedScenario& loaded, const py::object& asked, const std::string& every) {
  const std::vector<std::string> series = names_in(asked, loaded.scenario);
  const std::optional<Picoseconds> period = parse_time(every);
  if (!period) throw ConfigError("every", every, std::string{legal::time});
  static_cast<void>(SeriesRecorder{loaded.scenario, series, *period});  // checks the names
  const std::string message = in_child([&] { return run_here(loaded.scenario, series, *period); });
  std::size_t at = 0;
  py::object result = made("Result");
  result["summary"] = py::module_::import("json").attr("loads")(next_field(message, at));
  py::dict all;
  for (const std::string& name : series) {
    py::object one = made("Series");
    // Signed: users subtract series, and w may be above T.
    const py::object times = next_array<std::uint64_t, std::int64_t>(message, at);
    one["time_ps"] = times;
    one["time_s"] = times / py::float_(static_cast<double>(picoseconds_per_second));
    for (auto left = std::stoul(next_field(message, at)); left != 0; --left) {
      const std::string field = next_field(message, at), type = next_field(message, at);
      one[py::str(field)] = next_array<std::int64_t>(message, at).attr("astype")(type);
    }
    all[py::str(name)] = one;
  }
  result["series"] = all;
  return result;
}

template <class Nodes>
std::vector<std::string> names_of(const Nodes& nodes) {
  std::vector<std::string> names;
  for (const auto& node : nodes) names.push_back(node.name);
  return names;
}

}  // namespace
}  // namespace weir

PYBIND11_MODULE(_weir, module) {
  using weir::LoadedScenario;
  module.doc() = "The compiled part of the module weir";
  module.attr("__version__") = std::string{weir::version};
  py::register_exception<weir::ConfigError>(module, "ConfigError", PyExc_ValueError);
  py::register_exception<weir::ModelError>(module, "ModelError", PyExc_RuntimeError);
  py::class_<LoadedScenario>(module, "Scenario", "A scenario file with overrides, checked.")
      .def_property_readonly(
          "name", [](const LoadedScenario& s) { return s.scenario.name; }, "Name of the scenario.")
      .def_property_readonly(
          "seed", [](const LoadedScenario& s) { return s.scenario.seed; },
          "Seed of everything that is random.")
      .def_property_readonly(
          "until_ps", [](const LoadedScenario& s) { return s.scenario.until.count(); },
          "When the run ends, picoseconds.")
      .def_property_readonly(
          "switches", [](const LoadedScenario& s) { return weir::names_of(s.scenario.switches); },
          "Names of the switches.")
      .def_property_readonly(
          "hosts", [](const LoadedScenario& s) { return weir::names_of(s.scenario.hosts); },
          "Names of the hosts.")
      .def(
          "cell_bytes",
          [](const LoadedScenario& s, const py::object& name) {
            const std::string text = py::str(name);
            for (const auto& node : s.scenario.switches)
              if (node.name == text) return node.chip.cell.count();
            throw weir::ConfigError("switch", text, "must be the name of a switch");
          },
          py::arg("switch"), "Bytes of a buffer cell of that switch.")
      .def("run", &weir::run, py::arg("series") = py::list{}, py::arg("every") = "100 ns",
           "Runs it in a process of its own: a Result.\n\n"
           "series: names such as 'tor.port[0].pg[3]', 'tor.pool[lossless].domain[0]', "
           "'tor.port[0].tx' and\n'tor.port[0].tx.pause[3]' (docs/guide/python.md has all of "
           "them). Each has arrays of shape (n,), one entry for a\nperiod of `every` ('0 s': "
           "every step of the MMU): a Series.")
      .def("__repr__",
           [](const py::object& self) {
             return py::module_::import("weir.result").attr("text_of_scenario")(self);
           })
      .def("__copy__", [](const LoadedScenario& s) { return s; })
      .def("__deepcopy__", [](const LoadedScenario& s, const py::dict&) { return s; })
      .def("__reduce__", &weir::reduced);
  module.def("load", &weir::load, py::arg("file"), py::arg("overrides"),
             "Reads and checks a scenario file (weir.load).");
  module.def("load_again", &weir::load_again, py::arg("file"), py::arg("overrides"),
             py::arg("keys"), "The same, for a Scenario that was pickled.");
}
