import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFiles

/// Tests of the lock between writers of one instance, and of the lock between instances.
@Suite struct WriterLockTests {
  private static let stores: [@Sendable (URL) throws -> any StorageBackend] = [
    { try FileBackend(in: $0.appending(path: "letters"), lockTimeout: .seconds(1)) },
    { try SingleFileBackend(at: $0.appending(path: "archive"), lockTimeout: .seconds(1)) },
  ]

  @Test(arguments: stores.indices)
  func `an interceptor called before a write can write to another instance of the same store`(
    _ index: Int
  )
    throws
  {
    try withTemporaryDirectory { directory in
      let gate = Gate(try Self.stores[index](directory))
      let other = try Self.stores[index](directory)
      let registration = gate.intercept(
        Interceptor(before: { _ in try other.apply([.set("other", Data("2".utf8))]) }))

      try gate.apply([.set("own", Data("1".utf8))])

      #expect(try Set(gate.backend.keys(withPrefix: "")) == ["other", "own"])
      #expect(throws: StorageError.self) {
        try gate.edit { $0 = [.set("own", Data("3".utf8))] }
      }
      registration.cancel()
    }
  }
}
