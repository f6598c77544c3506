import ArgumentParser
import ShelfCatalogue

struct ConflictsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conflicts",
    abstract: "Lists the changes of notes and saved searches that lost against other changes.")

  @OptionGroup var home: ShelfHome
  @Option(help: "Apply the lost change of the conflict with this identifier.") var restore: String?
  @Option(help: "Close the conflict with this identifier without applying the lost change.")
  var close: String?

  func validate() throws {
    if restore != nil, close != nil {
      throw ValidationError("--restore cannot be combined with --close. Omit one of them.")
    }
  }

  func run() throws {
    try Outcome.run {
      let catalogue = try home.catalogue()
      if let identifier = restore ?? close {
        try catalogue.answer(identifier, restoring: restore != nil)
        return try Outcome.print("answered; shelf sync sends the answer")
      }
      let conflicts = try catalogue.conflicts()
      if conflicts.isEmpty { try Outcome.print("no conflicts") }
      for conflict in conflicts { try Outcome.print("\(conflict)".printable) }
    }
  }
}

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explains why a saved search has its present words.")

  @OptionGroup var home: ShelfHome
  @Argument(help: "The title of a saved search.") var title: String

  func run() throws {
    try Outcome.run {
      for line in try home.catalogue().explainSavedSearch(title) {
        try Outcome.print(line.printable)
      }
    }
  }
}
