// SPDX-License-Identifier: Apache-2.0
//
// Latencies of the pipeline: made from systemc/include/weir/core/pipeline_latency.hpp by
// scripts/doc/registers; do not edit.
//
// Units:   core-clock cycles. Usual: what a parameter is unless it is set.
// Golden:  the table, compared by tb/model/latency_package_test.cpp.
package pipeline_latency_pkg;

  // cycles from request to verdict
  localparam int AdmitLatencyLeast = 3;
  localparam int AdmitLatencyLeastDrops = 6;  // where WRED may drop
  localparam int DropAnswer = 3;  // from a request until WRED has answered
  localparam int AdmitLatencyUsual = 3;
  localparam int AdmitLatencyGreatest = 64;

  // cycles from verdict to PFC frame request
  localparam int PfcLatencyLeast = 0;
  localparam int PfcLatencyUsual = 2;
  localparam int PfcLatencyGreatest = 64;

  // cycles by which T sees S late
  localparam int ThresholdLagLeast = 0;
  localparam int ThresholdLagUsual = 0;
  localparam int ThresholdLagGreatest = 1024;

  // cycles until the RTL says whether a packet that enters or leaves is marked
  localparam int MarkLatencyLeast = 2;
  localparam int MarkLatencyUsual = 2;
  localparam int MarkLatencyGreatest = 64;

endpackage
