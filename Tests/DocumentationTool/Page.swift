import Foundation

/// A page of `Docs`.
package struct Page {
  /// The path below `Docs`, such as "Guides/UsingTables.md".
  package let path: String
  package let text: String

  package init(path: String, text: String) {
    self.path = path
    self.text = text
  }

  /// The folder of the page below `Docs`, or an empty string.
  package var folder: String { (path as NSString).deletingLastPathComponent }

  /// The name of the article in the catalogue.
  ///
  /// Pages about formats have the names of pages about backends.
  package var articleName: String {
    let name = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    if name == "README" { return folder.isEmpty ? "Documentation" : "\(folder)-Index" }
    return folder == "Formats" ? "\(name)-Format" : name
  }

  /// All headings below the title.
  package var headings: [String] {
    blocks.flatMap { $0.isCode ? [] : $0.lines }.compactMap { line in
      line.firstMatch(of: #/^##+ (.+)$/#).map { String($0.1) }
    }
  }

  /// Returns the anchor that DocC gives to the heading with GitHub's anchor `anchor`.
  package func fragment(for anchor: Substring) -> String? {
    headings.first { Self.anchor(of: $0) == anchor }.map {
      $0.replacing("`", with: "").replacing(" ", with: "-")
    }
  }

  /// Returns GitHub's anchor of a heading.
  static func anchor(of heading: String) -> String {
    let kept = heading.lowercased().filter {
      $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_"
    }
    return kept.replacing(" ", with: "-")
  }

  struct Block {
    let isCode: Bool
    var lines: [Substring]
  }

  /// The page as alternating parts of prose and fenced code.
  var blocks: [Block] {
    var blocks = [Block(isCode: false, lines: [])]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isFence = line.drop { $0 == " " }.hasPrefix("```")
      if isFence, !blocks[blocks.count - 1].isCode {
        blocks.append(Block(isCode: true, lines: [line]))
      } else {
        blocks[blocks.count - 1].lines.append(line)
        if isFence { blocks.append(Block(isCode: false, lines: [])) }
      }
    }
    return blocks
  }
}
