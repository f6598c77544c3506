import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection
import UndercroftPropertyList

/// A command that shows a property list or a keyed archive as a tree.
struct TreeCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "tree",
    abstract: "Shows a property list or a keyed archive as a tree.",
    discussion: """
      Without a name, PATH is a file that contains a property list, in binary or XML form. A \
      keyed archive is shown as the graph of its objects; no object is created. The path of a \
      part consists of keys and positions, such as loans.0.title. Values that look like secrets \
      by their names or forms are replaced by placeholders unless --show-secrets is passed. \
      \(RedactionArguments.fingerprintHelp)
      """)

  private static let maximumDepth = 512

  @Argument(help: .path, completion: .file())
  var path: String
  @Argument(help: "The name of the value in a store.", completion: .valueNames) var name: String?
  @Option(help: .kind, completion: .kinds) var kind: String?
  @Option(help: "The path of the part to show.") var part: String?
  @Option(parsing: .unconditional, help: "The maximum number of levels.") var depth = 64
  @OptionGroup var redaction: RedactionArguments
  @OptionGroup var revealing: RevealArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    try target.validate()
    guard (1...Self.maximumDepth).contains(depth) else {
      throw ValidationError(
        "--depth is \(depth). Pass a number from 1 to \(Self.maximumDepth).")
    }
  }

  func run() throws {
    try Output.run {
      let (bytes, isConfidential) = try content()
      let showsSecrets = redaction.showSecrets || isConfidential
      guard PropertyListText.isOne(bytes) else {
        try requireNoPart()
        let redacted = Redactor().text(for: bytes, named: name)
        let readable = ValueText.readable(bytes)
        try Output.text(showsSecrets ? readable : redacted)
        if !showsSecrets, redacted != readable { RedactionArguments.note(nil) }
        return []
      }
      do {
        let path = part.map { PropertyListPath($0) }
        let tree = try PropertyListText.tree(of: bytes, at: path, depth: depth)
        let text = tree.text
        let redacted = showsSecrets ? text : Redactor().text(for: text, named: partName ?? name)
        try Output.text(ValueText.safe(redacted, keeping: ["\n"]))
        if redacted != text { RedactionArguments.note(nil) }
        noteOmissions(from: tree)
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

  /// Notes what the limits have omitted, because an ellipsis in a long output is easily overlooked.
  private func noteOmissions(from tree: PropertyListText.Tree) {
    let count = tree.omittedContainerCount
    if count > 0 {
      let containers = EnglishText.counted(count, "container")
      let option = depth < Self.maximumDepth ? "--depth" : "--part"
      Output.note(
        """
        \(containers) below level \(depth) \(count == 1 ? "is" : "are") shown as …; to show more \
        levels, pass \(option)
        """)
    }
    if tree.isCut {
      Output.note(
        """
        all values after the last … are omitted, because many references of the property list lead \
        to the same values; to show another part, pass --part
        """)
    }
  }

  /// The key of the part that is shown, or `nil` if the whole value or an element is shown.
  private var partName: String? {
    part?.split(separator: ".").last { Int($0) == nil }.map { String($0) }
  }

  /// Returns the value with the name, or the content of the file if there is no name, and whether
  /// the value belongs to a confidential store.
  private func content() throws -> (Data, Bool) {
    guard let name else {
      try requireNoStore()
      let bytes = try FileContent.read(
        target.location.path(percentEncoded: false),
        suggestion: "pass the path of a file, or the path of a store and the name of a value")
      return (bytes, false)
    }
    let found = try ValueLookup(target: target, kind: kind, mayReveal: revealing.reveal).find(name)
    if found.isConfidential { try revealing.confirm() }
    return (found.bytes, found.isConfidential)
  }

  /// Throws an error if the file is a store, whose bytes would mean nothing to the user.
  private func requireNoStore() throws {
    let candidate = StoreCandidate(at: target.location)
    guard !candidate.isFolder, !PropertyListText.isOne(candidate.start),
      let store = try? target.stores(credentials: InspectionCredentials()).first
    else { return }
    let report = (try? store.open())?.report
    let format = report?.format ?? store.scheme
    throw StorageError(
      .unavailable,
      """
      cannot show \(quoted(target.path)) as a tree: the format of the file is \(quoted(format)), \
      which is not that of a property list
      """,
      suggestion: report?.isTabular == true
        ? "run \"undercroft rows\" with this path to list the tables"
        : """
        run "undercroft keys" with this path to list the names of the values, and pass one of them \
        after the path
        """)
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
