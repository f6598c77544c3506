import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore
import UndercroftGDBM

/// The home of a lending library whose stores a test edits, with a state directory for undo files.
struct EditedHome {
  let home: SampleHome
  let state: URL

  /// The key file of the vault.
  var keyFile: String { home.url.appending(path: "keys/vault.key").path }

  /// Calls `body` with a new home, and deletes it afterwards.
  static func with(_ body: (EditedHome) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      try body(
        EditedHome(
          home: try SampleHome(at: directory.appending(path: "home")),
          state: directory.appending(path: "state")))
    }
  }

  /// Runs a command with the path of the home before the other arguments.
  @discardableResult
  func run(_ command: String, _ arguments: String..., input: String = "") throws -> ProgramResult {
    try run([command, home.url.path] + arguments, input: input)
  }

  /// Runs the inspector with the state directory of this home.
  @discardableResult
  func run(_ arguments: [String], input: String = "") throws -> ProgramResult {
    try Program.inspector.run(arguments, input: input, environment: environment)
  }

  var environment: [String: String] { ["XDG_STATE_HOME": state.path] }

  /// The paths of the undo files, sorted by name.
  var undoFiles: [URL] {
    get throws {
      let folder = state.appending(path: "undercroft/undo")
      guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
      return try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil
      )
      .sorted { $0.path < $1.path }
    }
  }

  /// Returns the text that an application reads as a preference, or `nil` if there is none.
  func preference(_ name: String) throws -> String? {
    try Storage(home: home.url).load(StorageKey(name, kind: .preference, default: String?.none))
  }

  /// Returns the stored values of a store as text by name.
  static func values(of store: any StorageBackend) throws -> [String: String] {
    var values: [String: String] = [:]
    for name in try store.keys(withPrefix: "") {
      values[name] = try store.read(name).map { String(decoding: $0, as: UTF8.self) }
    }
    return values
  }
}
