import Foundation
import UndercroftCore
import UndercroftInspection

/// The commands of a shell that follow advice about a store.
extension AdvisedStore {
  /// Returns the command that removes a secret, or `nil` if this tool cannot remove it.
  ///
  /// Without `--no-undo`, the command would save the secret as plain text in a file for an undo.
  func command(removingSecret name: String) -> String? {
    guard (try? discovered.requireEditing()) != nil, (try? discovered.check(name: name)) != nil
    else { return nil }
    let options =
      (discovered.kind.map { ["--kind", $0] } ?? []) + ["--write", "--no-undo"]
      + Confirmation.skippingOptions
    let path = location.absoluteURL.path(percentEncoded: false)
    let isOption = name.utf8.first == UInt8(ascii: "-")
    let words = isOption ? [path] + options + ["--", name] : [path, name] + options
    return "undercroft rm \(words.map { ShellText.exact($0) }.joined(separator: " "))"
  }

  /// Returns the command that runs an SQL statement, or `nil` if the store is no SQLite database.
  func command(running sql: String) -> String? {
    guard discovered.scheme == "sqlite" else { return nil }
    let path = discovered.url.absoluteURL.path(percentEncoded: false)
    return "sqlite3 \(ShellText.exact(path)) \(ShellText.quoted(sql))"
  }
}
