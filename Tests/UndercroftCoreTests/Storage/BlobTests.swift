import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftTesting

@Suite struct BlobTests {
  private struct Interruption: Error {}

  @Test func `a blob written in chunks is read in chunks of the requested size`() throws {
    let storage = try library(.blob)
    try storage.withWriter(for: .cover) { writer in
      for byte in UInt8(0)..<10 { try writer.write(Data(repeating: byte, count: 1_000)) }
    }
    let (size, chunks) = try storage.withReader(for: .cover) { reader in
      var chunks: [Data] = []
      while let chunk = try reader?.read(upTo: 4_096) { chunks.append(chunk) }
      return (reader?.size, chunks)
    }

    #expect(size == 10_000)
    #expect(chunks.map(\.count) == [4_096, 4_096, 1_808])
    #expect(chunks.last?.last == 9)
  }

  @Test func `if the closure that writes a blob throws, the old blob remains unchanged`() throws {
    let storage = try library(.blob)
    try storage.withWriter(for: .cover) { try $0.write(Data("old".utf8)) }
    #expect(throws: Interruption.self) {
      try storage.withWriter(for: .cover) { writer in
        try writer.write(Data("new".utf8))
        throw Interruption()
      }
    }

    let bytes = try storage.withReader(for: .cover) { try $0?.read(upTo: 100) }
    #expect(bytes == Data("old".utf8))
  }

  @Test func `reading an absent blob calls the closure with nil instead of a reader`() throws {
    let storage = try library(.blob)
    #expect(try storage.withReader(for: .cover) { $0 == nil })
  }

  @Test func `an interceptor can refuse the write of a blob`() throws {
    let storage = try library(.blob)
    let names = EventCollector<[String]>()

    let registration = try storage.intercept(.blob) { write in
      names.append(write.names)
      #expect(write.isStream)
      throw Interruption()
    }
    #expect(throws: Interruption.self) {
      try storage.withWriter(for: .cover) { try $0.write(Data([1])) }
    }
    registration.cancel()
    #expect(names.events == [["cover"]])
    #expect(try !storage.contains(.cover))
  }

  @Test func `a blob written in chunks can be loaded whole with the default codec`() throws {
    let storage = try library(.blob)
    let key = StorageKey<Data?>("cover", kind: .blob)
    try storage.withWriter(for: key) { try $0.write(Data([1, 2])) }
    #expect(try storage.load(key) == Data([1, 2]))
    try storage.save(Data([3]), for: key)
    #expect(try storage.withReader(for: key) { try $0?.read(upTo: 9) } == Data([3]))
  }

  @Test
  func `writing chunks beyond a data kind's maximum value size throws; the old blob stays intact`()
    throws
  {
    var storage = Storage()
    try storage.use(.memory, for: .blob.withMaximumValueSize(3))
    let key = StorageKey<Data?>("cover", kind: .blob.withMaximumValueSize(3))
    try storage.withWriter(for: key) { try $0.write(Data([1, 2, 3])) }

    let error = #expect(throws: StorageError.self) {
      try storage.withWriter(for: key) { writer in
        for byte in 4...8 { try writer.write(Data([UInt8(byte)])) }
      }
    }

    #expect(error?.code == .tooLarge)
    #expect(try storage.load(key) == Data([1, 2, 3]))
  }

  @Test
  func `withReader fails with the code notSupported if the backend lacks the streaming capability`()
    throws
  {
    var storage = Storage()
    try storage.use(.backend(MinimalBackend()), for: .document)
    let key = StorageKey<Data?>("cover", kind: .document)

    let error = #expect(throws: StorageError.self) { try storage.withReader(for: key) { _ in } }

    #expect(error?.code == .notSupported)
    #expect(error?.key == "cover")
  }
}
