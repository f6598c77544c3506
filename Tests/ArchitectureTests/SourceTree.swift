import Foundation

/// The files of this package, as text.
enum SourceTree {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  struct File: Sendable {
    let path: String
    let text: String
    let lines: [Substring]
    /// Lines that are neither blank nor comments.
    let code: [Substring]

    init(path: String, text: String) {
      self.path = path
      self.text = text
      lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      code = lines.filter { line in
        let text = line.drop { $0 == " " }
        return !text.isEmpty && !text.hasPrefix("//")
      }
    }

    /// Whether a line imports a module with access to its internal declarations.
    ///
    /// Lines inside `#if` are indented.
    var hasTestableImport: Bool {
      code.contains { $0.drop { $0 == " " }.hasPrefix("@testable") }
    }

    var imports: Set<String> {
      Set(
        code.compactMap { line in
          let words = line.split(separator: " ")
          guard let place = words.firstIndex(of: "import"), place <= 2, place + 1 < words.count
          else {
            return nil
          }
          return String(words[place + 1])
        })
    }
  }

  static func files(in folder: String, ending suffix: String = ".swift") throws -> [File] {
    let base = root.appending(path: folder)
    guard let paths = FileManager.default.enumerator(atPath: base.path) else { return [] }
    return try paths.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.sorted()
      .filter { !$0.contains(".build") }
      .map { path in
        File(
          path: "\(folder)/\(path)",
          text: try String(contentsOf: base.appending(path: path), encoding: .utf8))
      }
  }

  /// The files that users link: the sources and the backends.
  static func product() throws -> [File] { try files(in: "Sources") + files(in: "Backends") }
}
