import Foundation
import FuzzTargets

#if FUZZING
  /// The target under test: the environment names it, because libFuzzer owns the arguments.
  private let subject = FuzzTarget.all.first {
    $0.name == ProcessInfo.processInfo.environment["FUZZ_TARGET"]
  }

  /// Writes the seeds of the target into the folder that the environment names.
  ///
  /// libFuzzer calls it first.
  @_cdecl("LLVMFuzzerInitialize")
  public func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>
  ) -> CInt {
    guard let subject else {
      let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
      print("Set FUZZ_TARGET to one of \(names).")
      exit(64)
    }
    guard let path = ProcessInfo.processInfo.environment["FUZZ_SEEDS"] else { return 0 }
    let folder = URL(filePath: path, directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (number, seed) in try subject.seeds().enumerated() {
        try seed.write(to: folder.appending(path: "seed-\(number)"))
      }
    } catch {
      print("The seeds cannot be written: \(error)")
      exit(74)
    }
    return 0
  }

  /// Runs the target on one input; libFuzzer saves the input when the process aborts.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
      try subject?.run(bytes.map { Data(bytes: $0, count: count) } ?? Data())
    } catch {
      // Standard error has no buffer that would be lost.
      FileHandle.standardError.write(Data("DEFECT: \(error)\n".utf8))
      abort()
    }
    return 0
  }
#else
  /// Lists the targets: only `make fuzz` links libFuzzer, which has the entry point of the fuzzer.
  @main
  enum Fuzzer {
    static func main() {
      for target in FuzzTarget.all { print(target.name) }
    }
  }
#endif
