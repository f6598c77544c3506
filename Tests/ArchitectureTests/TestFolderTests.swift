import Foundation
import Testing

@Suite struct TestFolderTests {
  /// Folders of tests that do not belong to a single folder of the sources.
  private static let others: Set<String> = [
    // Whole examples of an application.
    "UndercroftRelationalTests/Scenarios",
    // Each test runs the built tool.
    "UndercroftInspectionTests/Commands", "UndercroftInspectionTests/Editing",
    "UndercroftInspectionTests/ForeignFiles", "UndercroftInspectionTests/Terminal",
    // The product for tests of migrations.
    "UndercroftMigrationTests/Testing",
    // Requests to the whole server.
    "UndercroftSyncServerTests/GeneratedRequests",
  ]

  @Test
  func `every folder of a test target exists in the tested module too, or is a listed exception`()
    throws
  {
    let sources = try folders(in: "Sources").union(try folders(in: "Backends"))
    let tests = try folders(in: "Tests").filter { $0.hasPrefix("Undercroft") }

    let unknown = tests.filter { folder in
      let parts = folder.split(separator: "/", maxSplits: 1)
      guard parts.count > 1, parts[0].hasSuffix("Tests") else { return false }
      let tested = "\(parts[0].dropLast("Tests".count))/\(parts[1])"
      return !Self.others.contains(folder) && !sources.contains(tested)
    }

    #expect(unknown.sorted() == [])
    #expect(tests.count > 40)
  }

  /// Returns the paths of the folders with Swift files and of their parent folders, starting with
  /// the module.
  private func folders(in root: String) throws -> Set<String> {
    var folders: Set<String> = []
    for file in try SourceTree.files(in: root) {
      var parts = file.path.split(separator: "/").dropLast().map(String.init)
      guard let module = parts.firstIndex(where: { $0.hasPrefix("Undercroft") }) else { continue }
      parts.removeFirst(module)
      while !parts.isEmpty {
        folders.insert(parts.joined(separator: "/"))
        parts.removeLast()
      }
    }
    return folders
  }
}
