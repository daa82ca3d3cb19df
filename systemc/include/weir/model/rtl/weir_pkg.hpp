// SPDX-License-Identifier: Apache-2.0
#pragma once
// The constants of rtl/pkg/weir_pkg.sv, which explains them, by their names there. Made by
// scripts/rtl/pins: change that.

namespace weir::weir_pkg {

// NOLINTBEGIN(readability-identifier-naming)
inline constexpr unsigned Priorities = 8;
inline constexpr unsigned MaxPorts = 4096;
inline constexpr unsigned MaxDomains = 256;
inline constexpr unsigned MaxLanes = 64;
inline constexpr unsigned MaxCopies = 8;
inline constexpr unsigned MaxPools = 256;
inline constexpr unsigned MaxProfiles = 255;
inline constexpr unsigned MaxCellW = 24;
inline constexpr unsigned MaxByteW = 32;
inline constexpr unsigned MaxStatW = 64;
inline constexpr unsigned MinAxisW = 64;
inline constexpr unsigned MaxAxisW = 512;
inline constexpr unsigned MaxSlots = 16384;
inline constexpr unsigned MaxSteps = 32768;
inline constexpr unsigned MaxPackets = 131072;
inline constexpr unsigned ReasonW = 3;
inline constexpr unsigned Reasons = 6;
inline constexpr unsigned LimitW = 25;
inline constexpr unsigned AlphaNW = 16;
inline constexpr unsigned AlphaMW = 5;
inline constexpr unsigned PoolIndexW = 8;
inline constexpr unsigned PolicyW = 2;
inline constexpr unsigned ProductW = 41;
inline constexpr unsigned ThresholdW = 32;
inline constexpr unsigned LinePolicy = 0;
inline constexpr unsigned LineAlphaN = 2;
inline constexpr unsigned LineAlphaM = 18;
inline constexpr unsigned LineStatic = 23;
inline constexpr unsigned LinePartition = 48;
inline constexpr unsigned LineBits = 73;
inline constexpr unsigned ProfileLine = 0;
inline constexpr unsigned ProfilePool = 73;
inline constexpr unsigned ProfilePrivate = 81;
inline constexpr unsigned ProfileHeadroom = 106;
inline constexpr unsigned ProfileXon = 131;
inline constexpr unsigned ProfileXonOffset = 156;
inline constexpr unsigned ProfileLossless = 181;
inline constexpr unsigned ProfileTrigger = 182;
inline constexpr unsigned ProfileRule = 183;
inline constexpr unsigned ProfileBits = 184;
inline constexpr unsigned PoolShared = 0;
inline constexpr unsigned PoolHeadroom = 25;
inline constexpr unsigned PoolDedicated = 50;
inline constexpr unsigned PoolBits = 51;
inline constexpr unsigned QueueLine = 0;
inline constexpr unsigned QueuePool = 73;
inline constexpr unsigned QueueMinimum = 81;
inline constexpr unsigned QueueProfileBits = 106;
inline constexpr unsigned EgressShared = 0;
inline constexpr unsigned EgressPoolBits = 25;
inline constexpr unsigned TableW = 3;
inline constexpr unsigned FieldW = 5;
inline constexpr unsigned SelectW = 8;
inline constexpr unsigned ReadW = 64;
inline constexpr unsigned ReasonAdmitted = 0;
inline constexpr unsigned ReasonSharedThreshold = 1;
inline constexpr unsigned ReasonSharedPool = 2;
inline constexpr unsigned ReasonHeadroomLimit = 3;
inline constexpr unsigned ReasonHeadroomPool = 4;
inline constexpr unsigned ReasonEgressQueue = 5;
inline constexpr unsigned ReasonWred = 6;
inline constexpr unsigned ToNone = 0;
inline constexpr unsigned ToShared = 1;
inline constexpr unsigned ToHeadroom = 2;
inline constexpr unsigned PolicyDynamic = 0;
inline constexpr unsigned PolicyStatic = 1;
inline constexpr unsigned PolicySharing = 2;
inline constexpr unsigned PolicyPartitioning = 3;
inline constexpr unsigned XoffOnCrossing = 0;
inline constexpr unsigned XoffOnHeadroom = 1;
inline constexpr unsigned XonSai = 0;
inline constexpr unsigned XonPaper = 1;
inline constexpr unsigned TablePgStats = 0;
inline constexpr unsigned TableQueueStats = 1;
inline constexpr unsigned TablePool = 2;
inline constexpr unsigned TablePg = 3;
inline constexpr unsigned TableQueue = 4;
inline constexpr unsigned TableEgressPool = 5;
inline constexpr unsigned TableDomain = 6;
inline constexpr unsigned QueueFieldMinimum = 0;
inline constexpr unsigned QueueFieldShared = 1;
inline constexpr unsigned QueueFieldProfile = 2;
inline constexpr unsigned EgressPoolFieldShared = 0;
// NOLINTEND(readability-identifier-naming)

}  // namespace weir::weir_pkg
