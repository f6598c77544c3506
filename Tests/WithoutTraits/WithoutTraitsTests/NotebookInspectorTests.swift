import Foundation
import Testing

/// Tests of a tool outside of the toolkit, which adds a backend to the commands of the inspector.
@Suite struct NotebookInspectorTests {
  @Test func `a tool of another package inspects a store of its own backend`() throws {
    let file = URL.temporaryDirectory.appending(path: "notebook-\(UUID().uuidString)")
    try Data("notebook 1\nloans:Emma until Friday\nwishes:Dune\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }

    let keys = try output("keys", file.path, "--format", "tsv")
    let value = try output("get", file.path, "wishes")
    let match = try output("find", file.path, "Friday", "--format", "ndjson")

    #expect(keys == "name\tbytes\nloans\t17\nwishes\t4\n")
    #expect(value == "Dune\n")
    #expect(match.contains("Emma until Friday"))
  }

  private func output(_ arguments: String...) throws -> String {
    let answer = try run("NotebookInspector", arguments)
    #expect(answer.status == 0)
    return answer.output
  }
}
