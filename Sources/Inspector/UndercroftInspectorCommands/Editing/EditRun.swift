import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A run of a command that changes stores: it shows the changes, asks the user, saves the old
/// values, and applies the changes.
struct EditRun {
  /// The underlying error of an undo that is refused, because other values were stored later.
  ///
  /// The exit status is 1, as for differences: neither the data nor the arguments are wrong.
  struct Conflict: Error {}

  /// The name of the command.
  let command: String
  let target: Target
  let arguments: EditArguments
  /// The id of the undo file whose values the command restores, or `nil`.
  var restored: String?

  /// Applies the changes of each edit as one batch.
  func run(_ edits: [StoreEdit]) throws {
    try requireExpected(edits)
    guard !arguments.dryRun else { return try show(edits) }
    for edit in edits { try requireUndo(edit) }
    if !arguments.yes { try Confirmation.ask(about: edits) }
    var undo =
      arguments.noUndo
      ? nil : try UndoFile(command: command, changed: changedPath, restored: restored)
    var outcome = EditOutcome()
    let progress = Progress("changing", stores: edits.count)
    defer { progress.end() }
    do {
      for edit in edits {
        progress.begin(edit.store.name)
        outcome.add(try apply(edit, &undo))
      }
    } catch {
      if let undo, undo.exists {
        Output.note("to undo a part that was changed: \(command(undo))")
        for line in undo.secretLines { Output.note(line) }
      }
      throw error
    }
    progress.end()
    guard let summary = outcome.summary else { return try Output.text(Self.noChange) }
    var report = ChangeReport(summary: summary)
    if let undo, undo.exists {
      report.details = ["to undo: \(command(undo))"] + undo.secretLines
    }
    try report.write()
  }

  private static let noChange = "nothing to change"

  /// Shows the changes that the edits would make.
  private func show(_ edits: [StoreEdit]) throws {
    var isEmpty = true
    let preview = EditPreview(excerpt: ValueExcerpt(redactor: Redactor()))
    for edit in edits {
      try preview.forEachLine(of: edit) { line in
        isEmpty = false
        try Output.text(line)
      }
    }
    if isEmpty { try Output.text(Self.noChange) }
  }

  /// Changes a store while no other process writes to it, and returns the numbers of changes.
  private func apply(_ edit: StoreEdit, _ undo: inout UndoFile?) throws -> EditOutcome {
    do {
      let store = try edit.store.edit(waiting: arguments.waiting.timeout)
      return try store.withExclusiveAccess {
        let old = try edit.changes.map { change in try store.bytes(of: change.name) }
        try Self.require(noneOf: edit.conflicts(with: old).map { edit.shown($0) })
        let pending = zip(edit.changes, old).filter { $0.bytes != $1 }
        guard !pending.isEmpty else { return EditOutcome() }
        let lines = pending.map { change, old in
          EntryLine(
            kind: edit.store.kind, name: change.name, bytes: old,
            replaces: EntryState(of: change.bytes))
        }
        let saved = undo
        try undo?.append(lines)
        do {
          try store.apply(pending.map(\.0))
        } catch {
          // An undo of a store that was not changed would be useless.
          if let saved, Self.isUnchanged(store, pending) { undo?.revert(to: saved) }
          throw error
        }
        return EditOutcome(of: pending)
      }
    } catch let error as StorageError where error.code == .busy {
      throw error.suggestingToWait
    }
  }

  /// Returns whether a store still has the old values, after a batch of changes has failed.
  private static func isUnchanged(
    _ store: EditedStore, _ pending: [(StorageChange, Data?)]
  ) -> Bool {
    do {
      for (change, old) in pending where try store.bytes(of: change.name) != old { return false }
      return true
    } catch {
      return false
    }
  }

  /// The command that restores the values in an undo file, with the options of this run without
  /// which a script could not run the command.
  private func command(_ undo: UndoFile) -> String {
    let options = arguments.repeatedOptions.joined(separator: " ")
    return "undercroft undo \(ShellText.shown(undo.path)) \(options)"
  }

  /// The absolute path of the home or store.
  private var changedPath: String { target.location.absoluteURL.path(percentEncoded: false) }

  /// Checks that the entries have the states that the edits require, before any of them is changed.
  private func requireExpected(_ edits: [StoreEdit]) throws {
    let conflicts = try edits.flatMap { edit -> [String] in
      guard !edit.replaced.isEmpty else { return [] }
      let present = try edit.changes.map { try edit.opened?.bytes(of: $0.name) }
      return edit.conflicts(with: present).map { edit.shown($0) }
    }
    try Self.require(noneOf: conflicts)
  }

  /// The number of entries that the error names.
  private static let maximumNames = 10

  private static func require(noneOf conflicts: [String]) throws(StorageError) {
    guard !conflicts.isEmpty else { return }
    let names = conflicts.prefix(maximumNames).joined(separator: ", ")
    let rest = conflicts.count - maximumNames
    throw StorageError(
      .misuse,
      """
      cannot restore the old values: since the undo file was written, other values were stored or \
      removed: \(names)\(rest > 0 ? " and \(rest) more" : "")
      """,
      suggestion: "pass --force to replace them; --dry-run --force shows what this would change",
      underlying: Conflict())
  }

  /// Checks that the old values of an edit may be saved, or that the user does not want this.
  private func requireUndo(_ edit: StoreEdit) throws {
    guard edit.isConfidential, !arguments.noUndo else { return }
    throw StorageError(
      .accessDenied,
      """
      cannot save the old values of \(quoted(edit.store.path)) for an undo: the store is \
      confidential
      """,
      suggestion: "pass --no-undo to change the store without this possibility")
  }
}
