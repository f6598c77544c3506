import ArgumentParser
import Foundation
import ShelfCatalogue

struct NoteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "note", abstract: "Stores a note on a package; shelf show displays it.")

  @OptionGroup var home: ShelfHome
  @Argument(help: "The name of a package.") var name: String
  @Argument(help: "The text of the note.") var text: String

  func run() throws {
    try Outcome.run { try home.catalogue().note(text, on: name) }
  }
}

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Lists what was searched for, the latest first.")

  @OptionGroup var home: ShelfHome
  @Option(help: "List at most so many searches.") var limit = 20

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit is \(limit). Pass a number of at least 1.") }
  }

  func run() throws {
    try Outcome.run {
      for search in try home.catalogue().history(atMost: limit) {
        let day = search.askedAt.formatted(.iso8601.dateTimeSeparator(.space))
        let section = search.section.isEmpty ? "" : " in \(search.section)"
        try Outcome.print("\(day)  \(search.text)\(section): \(search.found)".printable)
      }
    }
  }
}
