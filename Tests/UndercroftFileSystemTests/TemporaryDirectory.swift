import Foundation

/// A folder for one test, removed with the last reference to it.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    let url = URL.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "undercroft-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    path = url.path()
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: file(name)))
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: file(name))), as: UTF8.self)
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
