public import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A trait that declares which behaviours of `Tests/Behaviours/behaviours.tsv` a test proves.
///
/// `Docs/Behaviours.md` explains the ids.
///
/// If the environment variable `UNDERCROFT_BEHAVIOURS` names a file, the trait appends one line to
/// the file for each behaviour when a test is about to run, and one line when the body or a case of
/// the test has ended. `BehaviourReport` determines from the event stream whether the test passed,
/// because an issue can be recorded at any time.
public struct BehaviourTrait: TestTrait, TestScoping {
  /// The ids of the behaviours, such as "A-CT-I01".
  public let ids: [String]

  public func prepare(for test: Test) async throws {
    append("bears", test)
  }

  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing body: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // A case that throws, is skipped or crashes writes no line.
    try await body()
    append("ended", test)
  }

  private func append(_ word: String, _ test: Test) {
    guard let path = getenv("UNDERCROFT_BEHAVIOURS").map({ String(cString: $0) }), !path.isEmpty
    else { return }
    let lines = ids.map { "\(word)\t\($0)\t\(test.id)\n" }.joined()
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard file >= 0 else { return problem(path) }
    defer { close(file) }
    // Write all lines with one call, so that the lines of concurrent tests are not mixed.
    let bytes = Array(lines.utf8)
    if write(file, bytes, bytes.count) != bytes.count { problem(path) }
  }

  private func problem(_ path: String) {
    Issue.record("cannot append to \(path): \(String(cString: strerror(errno)))")
  }
}

extension Trait where Self == BehaviourTrait {
  /// Returns a trait that declares that the test proves the behaviours with these ids.
  public static func behaviour(_ ids: String...) -> BehaviourTrait { BehaviourTrait(ids: ids) }
}
