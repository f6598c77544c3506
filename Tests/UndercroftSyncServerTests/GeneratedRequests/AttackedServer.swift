#if SyncServer
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncCompression
  import UndercroftSyncServer

  /// The built server as a process, with the rows of an account that generated requests must not
  /// change.
  struct AttackedServer: Sendable {
    static let scope: ScopeIdentifier = "user:ann"
    private static let bodyLimit = 100_000

    /// The content of the scope in the store of the server.
    struct State: Equatable {
      var scope: StoredScope?
      var rows: [StoredRecord]
      var operations: [StoredOperation]
      var digest: DigestAnswer
    }

    let server: ServerProcess
    private let tool: ServerTool
    let material: RequestMaterial
    /// A packet of the other account, for its own scope.
    let strangerPacket: Data

    /// Stores the rows, and starts the server.
    ///
    /// Blocks the thread until the server listens.
    init() throws {
      tool = try ServerTool()
      try tool.directory.write(
        """
        {
          "limits": {
            "bodyBytes": \(Self.bodyLimit), "bodySeconds": 3, "idleSeconds": 5,
            "requestsPerSecond": 1000000, "requestBurst": 1000000
          },
          "compactionSeconds": 0
        }
        """, to: "settings.json")
      try FileManager.default.createDirectory(
        atPath: tool.data, withIntermediateDirectories: true)
      (material, strangerPacket) = try Self.store(in: URL(filePath: tool.data))
      server = try tool.server(["--config", tool.directory.file("settings.json")])
      try server.startListening()
    }

    /// The messages of the server about errors, which include answers that no client has read.
    var errors: [String] {
      server.errors.split(separator: "\n").map(String.init)
        .filter { $0.contains(#""level":"error""#) || $0.contains(#""level":"critical""#) }
    }

    /// Returns the stored content of the scope.
    func state() throws -> State {
      let store = try Self.open(URL(filePath: tool.data))
      let sync = SyncServer(store: store, access: { _, _ in .readWrite })
      let state = try store.read(in: Self.scope) { reader in
        State(
          scope: try reader.scope(),
          rows: try reader.records(after: 0, limit: StoreLimit(count: 1_000)),
          operations: try ["ann", "tablet"].flatMap { replica in
            try reader.operations(
              of: replica, after: 0, through: .max, limit: StoreLimit(count: 1_000))
          },
          digest: try sync.digest(
            DigestRequest(scope: Self.scope, version: 0), account: "ann"))
      }
      try store.close()
      return state
    }

    private static func open(_ data: URL) throws -> SQLiteSyncStore {
      try SQLiteSyncStore(at: data.appending(path: "store"), shards: 4)
    }

    /// Stores tokens and rows of two accounts, and returns the messages that have stored them.
    private static func store(in data: URL) throws -> (RequestMaterial, strangerPacket: Data) {
      let tokens = try TokenStore(at: data.appending(path: "accounts.sqlite"))
      let rules = [ScopeRule(scope.text)]
      let token = try tokens.create(account: "ann", rules: rules)
      let expired = try tokens.create(
        account: "ann", rules: rules, expiration: Date(timeIntervalSince1970: 1))
      let revoked = try tokens.create(account: "ann", rules: rules)
      try tokens.revoke(revoked.token.identifier)
      let stranger = try tokens.create(account: "bob", rules: [ScopeRule("user:bob")])
      try tokens.close()

      let store = try open(data)
      let server = SyncServer(store: store, access: { _, _ in .readWrite })
      var phone = try Branch("ann", in: scope, on: server)
      var tablet = try Branch("ann", replica: "tablet", in: scope, on: server)
      var other = try Branch("bob", in: "user:bob", on: server)
      var (processed, changeable): ([Data], [Data]) = ([], [])
      for number in 0..<20 {
        let packets = [
          phone.seal("Dune \(number)", DataIdentifier("phone-\(number)")),
          tablet.seal("Emma \(number)", DataIdentifier("tablet-\(number)")),
        ]
        for packet in packets {
          guard case .results = try server.push(packet, account: "ann") else {
            throw ServerProcess.Failure(description: "the server has not processed a packet")
          }
        }
        processed.append(try packets[0].encoded())
        if number > 0 { changeable.append(try packets[1].encoded()) }
      }
      let head = try server.head(of: scope) ?? 0
      try store.close()
      let material = RequestMaterial(
        scope: scope.text, head: head, token: token.secret, strangerToken: stranger.secret,
        refusedTokens: [
          expired.secret, revoked.secret, "ucs_", String(token.secret.dropLast()),
          token.secret + "A", token.secret.uppercased(), WebToken(account: "ann").unsigned,
        ],
        processed: processed, changeable: changeable, unsent: try phone.seal("Iliad").encoded(),
        hello: try phone.hello.encoded(), pull: try phone.pull.encoded(),
        digest: try DigestRequest(scope: scope, version: 0).encoded(),
        bombs: [
          try #require(Gzip.compress(Data(repeating: UInt8(ascii: " "), count: 5_000_000))),
          try #require(Gzip.compress(Data(repeating: UInt8(ascii: "["), count: 16_000_000))),
        ], bodyLimit: bodyLimit)
      return (material, try other.seal("Ulysses").encoded())
    }
  }
#endif
