import Foundation
import Testing
import UndercroftCore

/// Tests of the errors that a codec throws, and of their codes.
@Suite struct CodecErrorTests {
  /// A codec that throws the same error for every value.
  private struct FailingCodec: Codec {
    let error: StorageError
    var name: String { "failing" }

    func encode<Value: Encodable>(_ value: Value) throws -> Data { throw error }

    func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
      throw error
    }
  }

  @Test(arguments: [
    StorageError.Code.unavailable, .locked, .accessDenied, .insecurePermissions, .wrongKey, .full,
    .io, .interrupted,
  ])
  func `load and save preserve the code and the suggestion of a codec error such as locked or io`(
    code: StorageError.Code
  ) throws {
    for suggestion in [nil, "run fewer threads"] {
      let memory = MemoryBackend()
      var storage = Storage()
      try storage.use(.backend(memory), for: .document)
      try memory.apply([.set("loan/1", Data("{}".utf8))])
      let codec = FailingCodec(
        error: StorageError(code, "no thread can be started", suggestion: suggestion))
      let key = StorageKey<Loan?>("loan/1", kind: .document, as: codec)

      let loading = #expect(throws: StorageError.self) { try storage.load(key) }
      let saving = #expect(throws: StorageError.self) {
        try storage.save(Loan(book: "Emma", days: 7), for: key)
      }

      for error in [loading, saving] {
        #expect(error?.code == code)
        #expect(error?.suggestion == suggestion)
        #expect(error?.backend == "failing")
        #expect(error?.key == "loan/1")
      }
      #expect(loading?.message.hasPrefix("cannot decode Optional<Loan>: no thread") == true)
      #expect(saving?.message.hasPrefix("cannot encode Optional<Loan>: no thread") == true)
    }
  }

  @Test(arguments: [StorageError.Code.corrupted, .notSupported, .tooLarge, .misuse])
  func `load and save report a codec error such as .corrupted as decodingFailed or encodingFailed`(
    code: StorageError.Code
  ) throws {
    let memory = MemoryBackend()
    var storage = Storage()
    try storage.use(.backend(memory), for: .document)
    try memory.apply([.set("loan/1", Data("{}".utf8))])
    let codec = FailingCodec(error: StorageError(code, "the bytes have a wrong checksum"))
    let key = StorageKey<Loan?>("loan/1", kind: .document, as: codec)

    let loading = #expect(throws: StorageError.self) { try storage.load(key) }
    let saving = #expect(throws: StorageError.self) {
      try storage.save(Loan(book: "Emma", days: 7), for: key)
    }

    #expect(loading?.code == .decodingFailed)
    #expect(saving?.code == .encodingFailed)
  }

  @Test func `saving NaN as JSON throws an error that names the key`() throws {
    let storage = try library(.preference)
    let key = StorageKey<Double>("ratio", kind: .preference, default: 0)

    let error = #expect(throws: StorageError.self) { try storage.save(.nan, for: key) }

    #expect(error?.code == .encodingFailed)
    #expect(error?.key == "ratio")
  }
}
