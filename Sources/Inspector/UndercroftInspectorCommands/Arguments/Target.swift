import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command about one path.
///
/// The command declares the arguments, because the argument parser checks a group of arguments in
/// another group several times in debug builds.
protocol TargetCommand: ParsableCommand {
  var path: String { get }
  var access: AccessArguments { get }
}

extension TargetCommand {
  var target: Target { Target(path: path, access: access) }

  func validate() throws { try target.validate() }
}

/// One path, and how its stores are read.
struct Target {
  let path: String
  /// The arguments that decide how stores are read, or `nil` for a command without them, which
  /// reads stores in place and without a key.
  let access: AccessArguments?

  func validate() throws {
    try ValidationError.requirePath(path)
    try access?.requireSingleKey()
  }

  /// Asks the user for the passphrase if it was requested, and returns the credentials.
  func credentials() -> InspectionCredentials { access?.credentials() ?? InspectionCredentials() }

  /// Returns all stores at a path, which is ``path`` by default.
  ///
  /// - Parameter credentials: the credentials, or `nil` to ask the user for them.
  /// - Throws: the error of finding the stores, which suggests the application that the user may
  ///   mean if nothing exists at the path.
  func stores(
    at other: String? = nil, credentials: InspectionCredentials? = nil
  ) throws -> [DiscoveredStore] {
    let path = other ?? path
    let inspector = Inspector(
      InspectorCommand.factories, credentials: credentials ?? self.credentials())
    do throws(StorageError) {
      return try inspector.stores(at: Self.location(of: path))
        .map { $0.reading(by: access?.storeAccess ?? .direct) }
    } catch {
      guard let name = ApplicationNames.nearest(to: path) else { throw error }
      throw error.suggesting(name: name)
    }
  }

  /// The format of the file or folder at ``path`` if it is not a store but its format is known.
  var identifiedFormat: IdentifiedFormat? {
    guard
      !FileManager.default.fileExists(
        atPath: location.appending(path: StorageManifest.fileName).path)
    else { return nil }
    return Inspector(InspectorCommand.factories).identifiedFormat(at: location)
  }

  /// The location that ``path`` denotes.
  var location: URL { Self.location(of: path) }

  /// Returns the location that a path denotes: the path itself, or the home directory of an
  /// application if the path is only its name.
  ///
  /// An application is found in the data directory of the user, by the name of its folder.
  static func location(of path: String) -> URL {
    guard !path.contains("/"), !FileManager.default.fileExists(atPath: path) else {
      return URL(filePath: path)
    }
    guard let home = UserDirectory.data.path.map({ $0 + "/" + path }),
      FileManager.default.fileExists(atPath: home + "/" + StorageManifest.fileName)
    else { return URL(filePath: path) }
    return URL(filePath: home)
  }

  /// Returns the stores that exist, and the single store at the path even if it does not exist, so
  /// that opening it throws the reason.
  func existingStores(of kind: String?) throws -> [DiscoveredStore] {
    try existingStores(of: kind.map { [$0] } ?? [])
  }

  /// Returns the stores of some kinds that exist, and the single store at the path even if it does
  /// not exist.
  func existingStores(of kinds: [String]) throws -> [DiscoveredStore] {
    try stores(of: kinds).filter { $0.exists || $0.kind == nil }
  }

  /// Returns the stores of one kind, or all stores if `kind` is `nil`.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if no store has this kind.
  func stores(
    of kind: String?, credentials: InspectionCredentials? = nil
  ) throws -> [DiscoveredStore] {
    try stores(of: kind.map { [$0] } ?? [], credentials: credentials)
  }

  /// Returns the stores of some kinds, or all stores if `kinds` is empty.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if no store has one of the kinds.
  func stores(
    of kinds: [String], at other: String? = nil, credentials: InspectionCredentials? = nil
  ) throws -> [DiscoveredStore] {
    try Self.stores(
      of: kinds, among: stores(at: other, credentials: credentials), at: other ?? path)
  }

  /// Returns those of all stores at a path that have some kinds, or all stores if `kinds` is empty.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if no store has one of the kinds.
  static func stores(
    of kinds: [String], among all: [DiscoveredStore], at path: String
  ) throws(StorageError) -> [DiscoveredStore] {
    guard !kinds.isEmpty else { return all }
    if let kind = kinds.first(where: { kind in !all.contains { $0.kind == kind } }) {
      let known = all.compactMap(\.kind)
      var nearest = NearestName(to: kind)
      for name in known { nearest.compare(name) }
      throw StorageError(
        .unavailable,
        "cannot find the kind \(quoted(kind)): no store at \(quoted(path)) has this kind",
        suggestion: known.isEmpty
          ? """
          omit --kind, or pass the home directory of an application, because only the stores in a \
          home directory have kinds
          """
          : nearest.question + "choose one of these kinds: " + known.joined(separator: ", "))
    }
    return all.filter { store in store.kind.map { kinds.contains($0) } ?? false }
  }
}

extension Target {
  /// Checks that a passphrase and the content of a command are not both read from a standard input
  /// that is not a terminal.
  ///
  /// - Parameter content: "-" if the content is read from standard input.
  func requireSeparateInput(from content: String?) throws {
    if access?.askPassphrase == true, content == "-", isatty(STDIN_FILENO) != 1 {
      throw ValidationError(
        "Standard input cannot contain both the passphrase and the content. Pass the content in a "
          + "file, or the key with --key-file.")
    }
  }

  /// Returns the only store at the path, or the only store of one kind.
  ///
  /// - Parameters:
  ///   - kind: the kind of the store, or `nil` if there is only one store.
  ///   - credentials: the credentials, or `nil` to ask the user for them.
  /// - Throws: ``StorageError/Code/unavailable`` if there are several stores.
  func store(
    of kind: String?, credentials: InspectionCredentials? = nil
  ) throws -> DiscoveredStore {
    let stores = try stores(of: kind, credentials: credentials)
    guard let store = stores.first, stores.count == 1 else {
      throw StorageError(
        .unavailable, "cannot select a store at \(quoted(path)): there are \(stores.count) stores",
        suggestion: kind != nil || stores.isEmpty
          ? "pass the path of one store"
          : "select one of these kinds with --kind: "
            + stores.compactMap(\.kind).joined(separator: ", "))
    }
    return store
  }
}
