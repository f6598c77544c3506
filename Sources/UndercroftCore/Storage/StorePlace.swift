#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The file or folder of a store, the same for every path that leads there through symbolic links.
///
/// Stores follow links when they open. Two kinds whose paths differ by a link would otherwise get two backends on one file.
struct StorePlace: Hashable, Sendable {
  private let resolved: ExactString

  var path: String { resolved.text }

  /// Finds out where `url` leads to, whether anything is there or not.
  init(_ url: URL) {
    var components: [String] = []
    var rest = Self.components(of: url.absoluteURL.path(percentEncoded: false))
    // As many links as Linux itself follows; opening the store reports more of them, such as a circle.
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

  /// Returns the components of a path, the last one first.
  private static func components(of path: String) -> [String] {
    // Not by characters: a slash before a name that begins with an accent is one with it.
    path.utf8.split(separator: UInt8(ascii: "/")).reversed().map { String(Substring($0)) }
  }

  private static func path(of components: [String]) -> String {
    "/" + components.joined(separator: "/")
  }
}
