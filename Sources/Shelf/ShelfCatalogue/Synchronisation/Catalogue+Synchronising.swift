public import Foundation
import Undercroft
public import UndercroftSync

extension Catalogue {
  /// Creates an engine that synchronises the notes and saved searches of this catalogue.
  ///
  /// - Parameters:
  ///   - scope: the part of the server's data that contains the rows.
  ///   - account: the account that the server knows, or `nil` for the account of a server in a
  ///     folder.
  ///   - peer: the server.
  public func syncEngine(
    scope: ScopeIdentifier, account: String? = nil, peer: some SyncPeer
  ) throws -> SyncEngine {
    try notes.prepare()
    return try SyncEngine(
      notes.database, scope: scope, account: account ?? ServerBinding.localAccount,
      tables: SyncedTable.shelf, peer: peer)
  }

  /// Synchronises the notes and saved searches of this catalogue and of another one.
  ///
  /// If the call is interrupted, the next call continues the synchronisation.
  ///
  /// - Parameters:
  ///   - other: the other catalogue.
  ///   - folder: the folder of the server, or `nil` for the server with which one of the
  ///     catalogues was synchronised before.
  ///   - standard: the folder of the server if `folder` is `nil` and neither catalogue was
  ///     synchronised before.
  /// - Returns: the exchanges of both catalogues, first the exchange of this catalogue.
  /// - Throws: ``NotFound`` if the catalogues are bound to different servers, or if their server is
  ///   missing; a `StorageError` with the code `locked` if another process synchronises;
  ///   `CancellationError` if the task is cancelled.
  public func synchronise(
    with other: Catalogue, server folder: URL?, standard: URL
  ) async throws -> [HomeExchange] {
    let (server, scope) = try openServer(sharedWith: other, in: folder, standard: standard)
    let peer = server.server.peer(account: ServerBinding.localAccount)
    let engines = [
      try syncEngine(scope: scope, peer: peer), try other.syncEngine(scope: scope, peer: peer),
    ]
    var exchanges = [HomeExchange(), HomeExchange()]
    // This catalogue synchronises twice, to receive the changes that the other one has sent.
    for index in [0, 1, 0] {
      let outcome = try await engines[index].sync()
      if outcome.isLeasedElsewhere {
        throw Self.busy(index == 0 ? homeText : other.homeText)
      }
      exchanges[index].sent += outcome.pushed
      exchanges[index].received += outcome.pulled
    }
    for index in [0, 1] { exchanges[index].conflicts = try engines[index].conflicts().count }
    withExtendedLifetime(server) {}
    return exchanges
  }

  /// Ends the synchronisation of this catalogue with its server.
  ///
  /// The notes and saved searches remain in the catalogue.
  ///
  /// - Throws: ``NotFound`` if the catalogue is not synchronised.
  public func stopSynchronising() async throws {
    guard try storage.load(.server) != nil else {
      throw NotFound(
        """
        cannot end the synchronisation of the home \(homeText): this home is not synchronised; to \
        select another home, pass the directory of that home with --home
        """)
    }
    try await offlineEngine().disable()
    try storage.remove(.server)
    try storage.remove(.serverToken)
  }

  /// Returns one line for each open conflict: a lost change, or a row that cannot be applied.
  ///
  /// - Throws: ``NotFound`` if the catalogue is not synchronised.
  public func conflicts() throws -> [ConflictLine] {
    try offlineEngine().conflicts().map { ConflictLine($0) }
  }

  /// Returns lines of text that explain the values of a saved search: the row of the server, the
  /// changes of this catalogue, and the conflicts.
  ///
  /// - Throws: ``NotFound`` if the catalogue is not synchronised.
  public func explainSavedSearch(_ title: String) throws -> [String] {
    let explanation = try offlineEngine().explain(DataIdentifier(title), in: "saved_search")
    return explanation.description.split(separator: "\n").map(String.init)
  }

  /// Resolves a conflict; the next synchronisation sends the resolution to the server.
  ///
  /// - Parameters:
  ///   - identifier: the first digits of the conflict's identifier.
  ///   - restoring: `true` to apply the lost change to the row, or `false` to leave the row
  ///     unchanged.
  /// - Throws: ``NotFound`` if the catalogue is not synchronised, or if the digits do not belong to
  ///   exactly one open conflict.
  public func answer(_ identifier: String, restoring: Bool) throws {
    let engine = try offlineEngine()
    let found = try engine.conflicts().compactMap { conflict -> ConflictIdentifier? in
      guard case .lost(let lost) = conflict else { return nil }
      // All identifiers begin with an empty one, which an unset variable of a shell passes.
      let isMeant =
        !identifier.isEmpty && lost.conflictIdentifier.text.hasPrefix(identifier)
      return isMeant ? lost.conflictIdentifier : nil
    }
    guard let conflict = found.first, found.count == 1 else {
      let reason =
        found.isEmpty
        ? "no open conflict has an identifier that begins with these characters"
        : "\(found.count) open conflicts have identifiers that begin with these characters"
      throw NotFound(
        """
        cannot resolve the conflict \(identifier.debugDescription): \(reason); run shelf conflicts \
        to list the identifiers, and pass one identifier in full
        """)
    }
    try engine.resolve(conflict, with: restoring ? .lostValues : .serverValues)
  }

  /// The folder of the databases of this catalogue for messages, or "in memory".
  var homeText: String {
    notes.database.location?.deletingLastPathComponent().path.debugDescription ?? "in memory"
  }

  static func busy(_ home: String) -> StorageError {
    StorageError(
      .locked,
      "cannot synchronise the home \(home): another process is synchronising this home",
      suggestion: "wait until the other process has ended, and repeat the command")
  }

  /// Creates an engine that reads the stored state of the synchronisation, without a server.
  ///
  /// - Throws: ``NotFound`` if the catalogue is not synchronised.
  func offlineEngine() throws -> SyncEngine {
    let binding = try requireBinding()
    return try syncEngine(
      scope: ScopeIdentifier(binding.scope), account: binding.account, peer: OfflinePeer())
  }

  /// Returns the server with which this catalogue is synchronised.
  ///
  /// - Throws: ``NotFound`` if the catalogue is not synchronised.
  func requireBinding() throws -> ServerBinding {
    if let binding = try storage.load(.server) { return binding }
    throw NotFound(
      """
      cannot read the state of the synchronisation of the home \(homeText): this home is not \
      synchronised; run shelf sync --with OTHER-HOME first, or connect the home with a server with \
      shelf connect
      """)
  }
}

/// A server that cannot be reached.
private struct OfflinePeer: SyncPeer {
  func send(_ request: SyncRequest) async throws -> Data {
    throw StorageError(
      .unavailable, "cannot send a request to the server: this command does not use the server",
      suggestion: "run shelf sync to exchange changes with the server")
  }

  func pokes(for scopes: [ScopeIdentifier]) -> AsyncStream<SyncPoke> { AsyncStream { $0.finish() } }
}
