import ArgumentParser
import Foundation
import Undercroft
import UndercroftInspection

#if GDBM
  import UndercroftGDBM
#endif

/// The arguments of every command: the path to inspect, and the credentials for encrypted stores.
struct Target: ParsableArguments {
  @Argument(help: "The home directory of an application, or a store.", completion: .file())
  var path: String

  @Option(help: "The file that contains a vault's key.", completion: .file())
  var keyFile: String?

  @Flag(help: "Ask for a vault's passphrase, or read it from standard input.")
  var askPassphrase = false

  func validate() throws {
    // An unset shell variable makes the path empty; the working directory is ".".
    if path.isEmpty {
      throw ValidationError(
        "The argument <path> is empty. Pass a path, or \".\" for the working directory.")
    }
  }

  func stores() throws -> [DiscoveredStore] {
    // The user is asked once, even if several stores need the passphrase.
    let typed = askPassphrase ? Passphrase.read() : nil
    var credentials = InspectionCredentials(keyFile: keyFile.map { URL(filePath: $0) })
    if askPassphrase { credentials.passphrase = { typed } }
    return try Inspector(Self.factories, credentials: credentials).stores(at: URL(filePath: path))
  }

  private static var factories: [StoreInspectorFactory] {
    #if GDBM
      return StoreInspectorFactory.standard + [.gdbm]
    #else
      return StoreInspectorFactory.standard
    #endif
  }

  /// Returns the stores of one kind, or all stores if `kind` is `nil`.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if no store has this kind.
  func stores(of kind: String?) throws -> [DiscoveredStore] {
    let all = try stores()
    guard let kind else { return all }
    let matching = all.filter { $0.kind == kind }
    guard !matching.isEmpty else {
      let known = all.compactMap(\.kind).joined(separator: ", ")
      throw StorageError(
        .unavailable,
        "cannot find the kind \(quoted(kind)): no store at \(quoted(path)) has this kind",
        suggestion: known.isEmpty
          ? """
          omit --kind, or pass the home directory of an application, because only the stores in a \
          home directory have kinds
          """
          : "choose one of these kinds: \(known)")
    }
    return matching
  }
}

/// A reader of the passphrase that the user types.
enum Passphrase {
  /// Reads one line from standard input, without echo if standard input is a terminal.
  ///
  /// Returns `nil` at the end of the input.
  static func read() -> String? {
    guard isatty(STDIN_FILENO) == 1 else { return readLine() }
    guard let line = getpass("Passphrase: ") else { return nil }
    defer { memset(line, 0, strlen(line)) }
    return String(cString: line)
  }
}
