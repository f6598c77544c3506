import Foundation
import Synchronization
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSecrets

/// Tests of layers of other backends over one open database.
@Suite struct SharedDatabaseTests {
  private static let theme = StorageKey("theme", kind: .preference, default: "none")
  private static let size = StorageKey("size", kind: .preference, default: "none")

  @Test func `two encrypted storages of one database read and observe each other's writes`() throws
  {
    let database = try Database.inMemory()
    let key = EncryptionKey.bytes(Data(repeating: 7, count: 32))
    var (writer, reader) = (Storage(), Storage())
    try writer.use(
      .backend(try EncryptedBackend(SQLiteBackend(database), key: key)), for: .preference)
    try reader.use(
      .backend(try EncryptedBackend(SQLiteBackend(database), key: key)), for: .preference)
    #expect(reader[Self.theme] == "none")
    let calls = Mutex<[String]>([])
    let registrations = try [Self.theme, Self.size].map { key in
      try reader.observe(key) { old, new in
        calls.withLock { $0.append("\(key.name): \(old) → \(new)") }
      }
    }

    try writer.save("dark", for: Self.theme)
    try writer.save("light", for: Self.theme)

    #expect(reader[Self.theme] == "light")
    #expect(reader[Self.size] == "none")
    #expect(calls.withLock { $0 } == ["theme: none → dark", "theme: dark → light"])
    withExtendedLifetime(registrations) {}
  }
}
