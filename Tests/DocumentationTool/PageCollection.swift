import Foundation

/// The pages of `Docs`, whose links lead to each other.
package struct PageCollection {
  package let pages: [Page]
  private let byPath: [String: Page]

  package init(_ pages: [Page]) {
    self.pages = pages
    byPath = Dictionary(uniqueKeysWithValues: pages.map { ($0.path, $0) })
  }

  /// Reads all pages below a folder.
  init(in folder: URL) throws {
    let files = FileManager.default.enumerator(atPath: folder.path)
    let paths = (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".md") }
    self.init(
      try paths.sorted().map { path in
        Page(
          path: path,
          text: try String(contentsOf: folder.appending(path: path), encoding: .utf8))
      })
  }

  /// Returns the text of a page with links as DocC resolves them.
  package func article(of page: Page) -> String {
    page.blocks.flatMap { block in
      block.isCode ? block.lines.map(String.init) : block.lines.map { rewrite($0, of: page) }
    }.joined(separator: "\n")
  }

  /// The list of all pages for the landing page.
  package var topics: String {
    let groups = [
      ("How do I …?", ""), ("Guides", "Guides"), ("Backends", "Backends"), ("Formats", "Formats"),
      ("Decisions", "Decisions"),
    ]
    var lines = ["## Topics", ""]
    for (title, folder) in groups {
      lines.append("### \(title)")
      lines.append("")
      lines += pages.filter { $0.folder == folder }.map { "- <doc:\($0.articleName)>" }
      lines.append("")
    }
    return lines.joined(separator: "\n")
  }

  private func rewrite(_ line: Substring, of page: Page) -> String {
    let links = #/\[((?:[^\[\]`]|`[^`]*`)*)\]\(([^()\s]+)\)/#
    return String(
      line.replacing(links) { match in link(String(match.1), to: match.2, on: page) })
  }

  /// Returns a link to an article, or the text of the link if the catalogue lacks the target, such
  /// as a source file.
  private func link(_ text: String, to target: Substring, on page: Page) -> String {
    if target.contains("://") { return "[\(text)](\(target))" }
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard let destination = parts[0].isEmpty ? page : self.page(at: parts[0], from: page) else {
      return text
    }
    let address = "doc:\(destination.articleName)"
    guard parts.count > 1 else { return "[\(text)](\(address))" }
    // An anchor without a heading remains, so that DocC reports it.
    let fragment = destination.fragment(for: parts[1]) ?? String(parts[1])
    return "[\(text)](\(address)#\(fragment))"
  }

  private func page(at path: Substring, from page: Page) -> Page? {
    let base = URL(filePath: "/Docs/\(page.path)").deletingLastPathComponent()
    let target = base.appending(path: String(path)).standardizedFileURL.path
    return target.hasPrefix("/Docs/") ? byPath[String(target.dropFirst("/Docs/".count))] : nil
  }
}
