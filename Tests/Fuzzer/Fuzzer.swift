import Foundation
import FuzzTargets

#if FUZZING
  /// The target to test, which an environment variable names because libFuzzer uses the arguments.
  private let subject = FuzzTarget.all.first {
    $0.name == ProcessInfo.processInfo.environment["FUZZ_TARGET"]
  }

  /// Writes the seeds of the target to the folder that an environment variable names.
  ///
  /// libFuzzer calls this function first.
  @_cdecl("LLVMFuzzerInitialize")
  public func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>
  ) -> CInt {
    guard let subject else {
      let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
      print("cannot fuzz: FUZZ_TARGET names no target; set it to one of \(names)")
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
      print("cannot write the seeds to \"\(path)\" (FUZZ_SEEDS): \(error)")
      exit(74)
    }
    return 0
  }

  /// Runs the target on one input, which libFuzzer saves if the process aborts.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
      try subject?.run(bytes.map { Data(bytes: $0, count: count) } ?? Data())
    } catch {
      // Standard error is not buffered, so the text is not lost.
      FileHandle.standardError.write(Data("DEFECT: \(error)\n".utf8))
      abort()
    }
    return 0
  }
#else
  /// Lists the targets.
  ///
  /// Only `make fuzz` links libFuzzer, which contains the entry point of the fuzzer.
  @main
  enum Fuzzer {
    static func main() {
      for target in FuzzTarget.all { print(target.name) }
    }
  }
#endif
