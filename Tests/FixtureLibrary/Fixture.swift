package import Foundation

/// A store in `Tests/FormatFixtures` that a version of the toolkit wrote.
package struct Fixture: Sendable, CustomStringConvertible {
  /// The name of the set of fixtures, which is the version that wrote the set.
  package let set: String
  package let name: String

  package var description: String { "\(set)/\(name)" }

  /// The folder that contains one folder for each set of fixtures.
  package static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "FormatFixtures")

  /// Returns the names of all sets of fixtures, in sorted order.
  package static func sets() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { !$0.hasPrefix(".") && !$0.hasSuffix(".md") }.sorted()
  }

  /// Returns the names of the fixtures in a set, in sorted order.
  package static func names(in set: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: set).path).sorted()
  }

  /// Returns the fixtures named `name` from all sets that contain such a fixture.
  package static func all(_ name: String) throws -> [Fixture] {
    try sets().filter { try names(in: $0).contains(name) }.map { Fixture(set: $0, name: name) }
  }

  /// The folder that contains the files of the fixture, which must not be changed.
  package var original: URL { Self.folder.appending(path: set).appending(path: name) }

  /// Calls `body` with a copy of the fixture, and removes the copy when `body` ends.
  ///
  /// Only the owner can read the files of the copy.
  package func withCopy<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let parent = try copy()
    defer { try? FileManager.default.removeItem(at: parent) }
    return try body(parent.appending(path: "store", directoryHint: .isDirectory))
  }

  /// Calls the asynchronous `body` with a copy of the fixture, and removes the copy when `body`
  /// ends.
  ///
  /// Only the owner can read the files of the copy.
  package func withCopy<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let parent = try copy()
    defer { try? FileManager.default.removeItem(at: parent) }
    return try await body(parent.appending(path: "store", directoryHint: .isDirectory))
  }

  /// Copies the fixture, and returns a new folder whose member `store` is the copy.
  private func copy() throws -> URL {
    let files = FileManager.default
    let parent = files.temporaryDirectory.appending(path: "undercroft-fixture-\(UUID().uuidString)")
    try files.createDirectory(at: parent, withIntermediateDirectories: true)
    let copy = parent.appending(path: "store", directoryHint: .isDirectory)
    try files.copyItem(at: original, to: copy)
    // Git stores only whether a file is executable.
    for case let path as String in files.enumerator(atPath: copy.path) ?? .init() {
      let url = copy.appending(path: path)
      let isFolder = try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory ?? false
      try files.setAttributes([.posixPermissions: isFolder ? 0o700 : 0o600], ofItemAtPath: url.path)
    }
    return parent
  }
}
