import ArgumentParser
import Foundation
import Synchronization
import UndercroftCore
import UndercroftInspection

/// The arguments that decide how stores are read, and the credentials for encrypted stores.
struct AccessArguments: ParsableArguments {
  @Option(help: .keyFile, completion: .file())
  var keyFile: String?

  @Flag(help: "Ask for a vault's passphrase, or read it from standard input.")
  var askPassphrase = false

  @Flag(help: "Read private copies of the stores, which are removed at the end.")
  var snapshot = false

  @Flag(help: "Read databases in a read transaction, so that all rows belong to one state.")
  var lock = false

  func validate() throws {
    if snapshot, lock {
      throw ValidationError("--snapshot cannot be combined with --lock. Omit one of them.")
    }
    Self.current.withLock { $0 = Options(snapshot: snapshot, lock: lock) }
  }

  /// The options that decide how stores are read.
  struct Options {
    var snapshot = false
    var lock = false
    /// Whether the command has neither option, because each of them shows one state of a store.
    var areMissing = false
  }

  private static let current = Mutex(Options())

  /// The options of the command that runs.
  ///
  /// The suggestion of an error must not name an option that the user has passed, and an error is
  /// reported where the arguments of the command are unknown.
  static var options: Options { current.withLock { $0 } }

  /// Records that the command that runs has neither `--snapshot` nor `--lock`, so that no
  /// suggestion names them.
  static func omitSnapshotAndLock() { current.withLock { $0 = Options(areMissing: true) } }

  /// Throws an error if the user passes both a key file and a passphrase.
  ///
  /// Only the key file would be used. The commands that change the keys of a vault use both.
  func requireSingleKey() throws {
    guard keyFile != nil, askPassphrase else { return }
    throw ValidationError(
      "--key-file cannot be combined with --ask-passphrase, because one key opens a store. Omit "
        + "--ask-passphrase to use the key file, or --key-file to use the passphrase.")
  }

  /// Asks the user for the passphrase if it was requested, and returns the credentials.
  func credentials() -> InspectionCredentials {
    // The user is asked once, even if several stores need the passphrase.
    let typed = askPassphrase ? Passphrase.read() : nil
    var credentials = InspectionCredentials(keyFile: keyFile.map { URL(filePath: $0) })
    if askPassphrase { credentials.passphrase = { typed } }
    return credentials
  }

  /// The way in which stores are read.
  var storeAccess: StoreAccess {
    if snapshot {
      return .copy { (store) throws(StorageError) in try SnapshotFolder.shared.location(of: store) }
    }
    return lock ? .locked : .direct
  }
}
