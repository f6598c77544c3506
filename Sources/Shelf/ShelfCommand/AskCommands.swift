import ArgumentParser
import Foundation
import ShelfCatalogue

struct SearchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Finds packages by the words of name and summary.")

  @OptionGroup var home: ShelfHome
  @Argument(help: "The words to search for; without it, those of the last search.") var text:
    String?
  @Option(help: "Only this section.") var section: String?
  @Option(help: "Save the search under this title.") var save: String?
  @Option(help: "Repeat the saved search with this title.") var saved: String?
  @Option(help: "Show at most so many packages, from now on.") var limit: Int?

  func validate() throws {
    if let limit, limit < 1 {
      throw ValidationError("--limit is \(limit). Pass a number of at least 1.")
    }
    if saved != nil, text != nil || section != nil {
      throw ValidationError(
        """
        --saved cannot be combined with search words or --section. Omit --saved, or omit the \
        search words and --section.
        """
      )
    }
  }

  func run() throws {
    try Outcome.run {
      let catalogue = try home.catalogue()
      if let limit { try catalogue.show(atMost: limit) }
      let search =
        try saved.map { try catalogue.savedSearch($0) }
        ?? SavedSearch(text: text ?? catalogue.lastQuery, section: section)
      if let save { try catalogue.save(search, as: save) }
      let result = try catalogue.search(search)
      if result.total == 0 {
        let scope = search.section.map { " in the section \"\($0)\"" } ?? ""
        throw NotFound(
          search.text.allSatisfy(\.isWhitespace)
            ? search.section.map {
              """
              cannot find a package in the section "\($0)": the catalogue contains no package of \
              this section; choose another section
              """
            } ?? "cannot find a package: the catalogue contains no package; run shelf import first"
            : """
            cannot find "\(search.text)": no package\(scope) has every word in the name or \
            summary; search for fewer or other words
            """)
      }
      for line in result.lines {
        try Outcome.print("\(line.name) \(line.version)  \(line.summary)".printable)
      }
      if result.total > result.lines.count {
        Outcome.say("\(result.lines.count) of \(result.total) packages; --limit shows more")
      }
    }
  }
}

struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Shows all that is known of a package.")

  @OptionGroup var home: ShelfHome
  @Argument(help: "The name of a package.") var name: String

  func run() throws {
    try Outcome.run {
      for card in try home.catalogue().packages(named: name) { try Self.show(card) }
    }
  }

  private static func show(_ card: PackageCard) throws {
    let size = ByteSize.text(card.installedSize.multipliedReportingOverflow(by: 1024).partialValue)
    try Outcome.print(
      "\(card.name) \(card.version) (\(card.architecture))  \(card.summary)".printable)
    try Outcome.print("  section    \(card.section)".printable)
    try Outcome.print("  installed  \(size)")
    try list("needs", card.needs)
    try list("needed by", card.neededBy)
    try list("changelogs", card.changelogs)
    for note in card.notes { try Outcome.print("  note       \(note)".printable) }
  }

  private static func list(_ title: String, _ items: [String]) throws {
    let shown = items.prefix(8).joined(separator: ", ")
    let more = items.count > 8 ? ", … \(items.count) in all" : ""
    let text = items.isEmpty ? "nothing" : shown + more
    try Outcome.print(
      "  \(title.padding(toLength: 11, withPad: " ", startingAt: 0))\(text)".printable)
  }
}

struct NeedsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "needs", abstract: "Lists all that a package needs, directly or not.")

  @OptionGroup var home: ShelfHome
  @Argument(help: "The name of a package.") var name: String

  func run() throws {
    try Outcome.run {
      for name in try home.catalogue().closure(of: name) { try Outcome.print(name.printable) }
    }
  }
}
