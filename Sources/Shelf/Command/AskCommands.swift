import ArgumentParser
import Foundation
import ShelfCatalogue

struct SearchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Looks for packages by name and summary.")

  @OptionGroup var place: ShelfHome
  @Argument(help: "What to look for, or the title of a saved search with --saved.") var text: String
  @Option(help: "Only this section.") var section: String?
  @Option(help: "Keep the search under this title.") var save: String?
  @Flag(help: "Repeat a saved search.") var saved = false

  func run() throws {
    try Outcome.run {
      let catalogue = try Catalogue(try place.storage())
      var search = SavedSearch(text: text, section: section)
      if saved {
        guard let kept = try catalogue.savedSearch(text) else {
          throw InputError.unreadable(path: text, reason: "there is no saved search of this title")
        }
        search = kept
      }
      if let save { try catalogue.save(search, as: save) }
      for line in try catalogue.search(search.text, section: search.section) {
        print("\(line.name) \(line.version)  \(line.summary)")
      }
    }
  }
}

struct NeedsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "needs", abstract: "Lists all that a package needs, directly or not.")

  @OptionGroup var place: ShelfHome
  @Argument(help: "The name of a package.") var name: String

  func run() throws {
    try Outcome.run {
      for name in try Catalogue(try place.storage()).closure(of: name) { print(name) }
    }
  }
}
