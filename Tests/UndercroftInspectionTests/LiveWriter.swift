import Foundation
import TestSupport
import Undercroft

/// A separate process that writes batches to a store until it is stopped.
final class LiveWriter {
  /// The stores to which the process can write, by the names of the program's option.
  static let stores = ["journalled", "gdbm", "files", "single-file", "vault", "sqlite"]

  let directory: URL
  private let store: String
  private let process: RunningProgram

  /// Starts the process, and waits until it has created the store.
  init(_ store: String, in directory: URL) throws {
    self.directory = directory
    self.store = store
    process = try Program(built: "KillWriter").start([
      "write", "--store", store, "--directory", directory.path, "--seed", "7", "--first", "0",
    ])
    let path = directory.appending(path: name).path
    let isReady = waitUntil {
      (try? UndercroftInspectionTests.run(["keys", path] + key))?.lines.isEmpty == false
    }
    if !isReady { stop() }
  }

  /// The name of the file or folder of the store.
  var name: String {
    let names = [
      "journalled": "settings", "gdbm": "prefs.gdbm", "files": "files", "single-file": "archive",
      "vault": "vault", "sqlite": "library.sqlite",
    ]
    return names[store, default: store]
  }

  var path: String { directory.appending(path: name).path }

  /// The arguments with which the values of a copy of the store can be read.
  var key: [String] {
    store == "vault" ? ["--key-file", directory.appending(path: "vault.key").path] : []
  }

  var isRunning: Bool { process.isRunning }

  func stop() {
    process.send(SIGKILL)
    _ = try? process.result()
  }

  deinit { stop() }
}
