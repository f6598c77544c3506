import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection
import UndercroftPropertyList

/// A command that shows a property list or a keyed archive as a tree.
struct TreeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tree",
    abstract: "Shows a property list or a keyed archive as a tree.",
    discussion: """
      Without a name, PATH is a file that contains a property list, in binary or XML form. A keyed archive is shown as the graph of \
      its objects; no object is created. The path of a part consists of keys and positions, such as loans.0.title.
      """)

  @OptionGroup var target: Target
  @Argument(help: "The name of the value in a store.", completion: .valueNames) var name: String?
  @Option(help: "The kind of the value, if several have this name.", completion: .kinds)
  var kind: String?
  @Option(help: "The path of the part to show.") var part: String?
  @Option(help: "The maximum number of levels.") var depth = 64
  @Flag(help: "Show a secret.") var reveal = false

  func validate() throws {
    guard (1...512).contains(depth) else {
      throw ValidationError("--depth is \(depth). Pass a number from 1 to 512.")
    }
  }

  func run() throws {
    try Output.run {
      let bytes = try content()
      guard PropertyListText.isOne(bytes) else {
        try requireNoPart()
        try Output.text(ValueText.readable(bytes))
        return []
      }
      do {
        let path = part.map { PropertyListPath($0) }
        let text = try PropertyListText.text(of: bytes, at: path, depth: depth)
        try Output.text(ValueText.safe(text, keeping: ["\n"]))
      } catch let error as PropertyListPathError {
        throw StorageError(
          .unavailable, "cannot show \(quoted(part ?? "")): \(error)",
          suggestion: "run the same command without --part to show all keys", underlying: error)
      } catch let error as PropertyListError {
        throw StorageError(
          .corrupted, "cannot read the property list \(quoted(name ?? target.path)): \(error)",
          suggestion: "restore the file or the value from a backup", underlying: error)
      }
      return []
    }
  }

  /// Returns the value with the name, or the content of the file if there is no name.
  private func content() throws -> Data {
    guard let name else { return try FileContent.read(target.location.path(percentEncoded: false)) }
    return try ValueLookup(target: target, kind: kind, mayReveal: reveal).find(name).bytes
  }

  private func requireNoPart() throws {
    guard part != nil else { return }
    throw StorageError(
      .notSupported,
      "cannot show a part of \(quoted(name ?? target.path)): only property lists "
        + "have parts that can be selected",
      suggestion: "omit --part to show the whole value")
  }
}
