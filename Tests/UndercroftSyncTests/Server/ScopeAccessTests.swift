import Testing
import UndercroftCore
import UndercroftSync

@Suite struct ScopeAccessTests {
  private let store = InMemorySyncStore()
  private let server: SyncServer

  /// Creates a server with accounts of different access.
  ///
  /// "ann" can read and write, "bob" can only read, and other accounts have no access.
  init() {
    server = SyncServer(store: store, environment: TestClock().environment) { account, _ in
      account == "ann" ? .readWrite : account == "bob" ? .read : .none
    }
  }

  private func expectDenied(_ body: () throws -> Void) {
    let error = #expect(throws: StorageError.self) { try body() }
    #expect(error?.code == .accessDenied)
    #expect(error?.suggestion != nil)
  }

  @Test func `an account without access to a scope receives nothing from the scope`() throws {
    try store.write(in: Device.scope) { try $0.put(StoredScope(epoch: "e")) }
    let zoe = try Device("zoe", on: server)
    let hello = HelloRequest(
      replica: "zoe", account: "zoe", scopes: [Device.scope], startTime: 0)

    #expect(try server.hello(hello, account: "zoe").scopes == [])
    expectDenied { _ = try zoe.pull(zoe.request()) }
    expectDenied { _ = try zoe.push(zoe.packet([zoe.operation(.delete)])) }
    expectDenied {
      _ = try server.digest(DigestRequest(scope: Device.scope, version: 0), account: "zoe")
    }
  }

  @Test func `requests of an account without access create no scope`() throws {
    let zoe = try Device("zoe", on: server)
    expectDenied { _ = try zoe.pull(zoe.request()) }
    expectDenied { _ = try zoe.push(zoe.packet([zoe.operation(.delete)])) }

    #expect(try store.scopes() == [])
  }

  @Test func `an account with only read access can pull but not push`() throws {
    let bob = try Device("bob", on: server)
    let hello = HelloRequest(
      replica: "bob", account: "bob", scopes: [Device.scope], startTime: 0)

    #expect(try server.hello(hello, account: "bob").scopes.first?.canWrite == false)
    #expect(try bob.page() != nil)
    expectDenied { _ = try bob.push(bob.packet([bob.operation(.insert([:]))])) }
    #expect(try server.head(of: Device.scope) == 0)
  }

  @Test func `a replica identifier can be used only by the account that used it first`() throws {
    let server = SyncServer(store: store, environment: TestClock().environment)
    var ann = try Device("phone", account: "ann", on: server)
    try ann.send(.insert(.title("Dune")))
    let reader = try Device("tablet", account: "ann", on: server)
    _ = try reader.page()
    let contents = try ScopeContents(of: store)

    for replica: ReplicaIdentifier in ["phone", "tablet"] {
      let thief = try Device(replica, account: "bob", on: server)
      expectDenied { _ = try thief.push(thief.packet([thief.operation(.delete)])) }
      expectDenied { _ = try thief.page() }
    }
    #expect(try ScopeContents(of: store) == contents)
  }

  @Test func `a hello request for another account is refused`() throws {
    let hello = HelloRequest(replica: "r", account: "ann", scopes: [], startTime: 0)

    expectDenied { _ = try server.hello(hello, account: "bob") }
  }

  @Test func `a push to one scope does not change another scope`() throws {
    let server = SyncServer(store: store, environment: TestClock().environment)
    var ann = try Device("ann", on: server)
    try ann.send(.insert(.title("Dune")))
    let contents = try ScopeContents(of: store)
    var other = ann.packet([ann.operation(.insert(.title("Emma")), on: "b2")])
    (other.scope, other.dependencyIdentifier, other.dependencyChain) = ("other", nil, nil)
    other.operations[0].sequence = 1
    guard case .refused(.epoch(let epoch)) = try ann.push(other) else {
      Issue.record("the packet was accepted")
      return
    }
    other.epoch = epoch

    #expect(try ann.push(other).statuses == [.applied])

    #expect(try ScopeContents(of: store) == contents)
    #expect(try ScopeContents(of: store, in: "other").records.count == 1)
  }
}
