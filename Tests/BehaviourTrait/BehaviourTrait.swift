public import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Declares which behaviours of `Tests/Behaviours/behaviours.tsv` a test proves.
///
/// `Docs/Behaviours.md` explains the ids.
///
/// Where the environment variable `UNDERCROFT_BEHAVIOURS` names a file, a line is appended there
/// for each behaviour of each test that is about to run, and one when its body, or a case of it,
/// has ended. Whether the test passed is judged afterwards, by the event stream of the same run: an
/// issue may be recorded at any time.
public struct BehaviourTrait: TestTrait, TestScoping {
  /// The behaviours, such as "A-CT-I01".
  public let ids: [String]

  public func prepare(for test: Test) async throws {
    append("bears", test)
  }

  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing body: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // A case that throws, is skipped or dies leaves no line.
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
    // One call for all lines, so that tests running at once do not cut into each other's.
    let bytes = Array(lines.utf8)
    if write(file, bytes, bytes.count) != bytes.count { problem(path) }
  }

  private func problem(_ path: String) {
    Issue.record("cannot append to \(path): \(String(cString: strerror(errno)))")
  }
}

extension Trait where Self == BehaviourTrait {
  /// The test proves the behaviours with these ids.
  public static func behaviour(_ ids: String...) -> BehaviourTrait { BehaviourTrait(ids: ids) }
}
