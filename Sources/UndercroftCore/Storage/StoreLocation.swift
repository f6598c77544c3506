import UndercroftFoundation

/// The location of a store, which is equal for all paths that
/// lead to the same file or folder through symbolic links.
///
/// Stores follow links when they open. Without this type, two kinds
/// whose paths differ by a link would get two backends on one file.
struct StoreLocation: Hashable, Sendable {
  private let resolved: ExactString

  var path: String { resolved.text }

  /// Creates a location by resolving the symbolic links of `url`; the file need not exist.
  init(_ url: URL) {
    var components: [String] = []
    var rest = Self.components(of: url.absoluteURL.path(percentEncoded: false))
    // Linux follows the same number of links. If there are more,
    // such as in a cycle, opening the store reports an error.
    var remainingLinks = 40
    while let next = rest.popLast() {
      if next == "." { continue }
      if next == ".." {
        _ = components.popLast()
        continue
      }
      components.append(next)
      guard remainingLinks > 0,
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: Self.path(of: components))
      else { continue }
      remainingLinks -= 1
      if target.utf8.first == UInt8(ascii: "/") {
        components = []
      } else {
        components.removeLast()
      }
      rest += Self.components(of: target)
    }
    resolved = Self.path(of: components).exact
  }

  /// Returns the components of a path in reverse order, because the
  /// initializer removes the next component from the end of the array.
  private static func components(of path: String) -> [String] {
    // Splits the UTF-8 bytes, because a slash and a combining accent after it are one character.
    path.utf8.split(separator: UInt8(ascii: "/")).reversed().map { String(Substring($0)) }
  }

  private static func path(of components: [String]) -> String {
    "/" + components.joined(separator: "/")
  }
}
