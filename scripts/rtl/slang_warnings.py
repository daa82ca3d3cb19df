# SPDX-License-Identifier: Apache-2.0
"""Prints what slang says of the sources on its command line, which is that of the program slang.

Started by scripts/rtl/frontends with the Python that has pyslang. Exit 1: an error; 2: the command
line is wrong."""
import sys

from pyslang import driver


def main():
    slang = driver.Driver()
    slang.addStandardArgs()
    if not slang.parseCommandLine(" ".join(["slang"] + sys.argv[1:])):
        return 2
    if not slang.processOptions() or not slang.parseAllSources():
        return 2
    compilation = slang.createCompilation()
    slang.reportCompilation(compilation, True)
    slang.runAnalysis(compilation)
    return 0 if slang.reportDiagnostics(True) else 1


if __name__ == "__main__":
    sys.exit(main())
