import Crypto
import Foundation
import UndercroftCore
import UndercroftInspection
import UndercroftSecrets

extension FuzzTarget {
  private static let key = Data((0..<32).map { UInt8($0) })

  /// The target for vaults that a fixed key file opens.
  ///
  /// If the input is framed, its header receives a valid checksum.
  static let vault = FuzzTarget("vault") {
    let place = try Workplace()
    try place.write(key, to: "key")
    let file = place.file("vault")
    let keyFile = place.file("key")
    do {
      let backend = try VaultBackend(at: file, unlockedBy: .keyFile(keyFile))
      for batch in KeyedStore.batches { try backend.apply(batch) }
    }
    let bytes = try Data(contentsOf: file)
    return [Data([0]) + bytes, Data([1]) + bytes]
  } run: { input in
    let place = try Workplace()
    var (isFramed, file) = Framing.split(input)
    if isFramed { mend(&file) }
    try place.write(key, to: "key")
    try place.write(file, to: "vault")
    let (vault, keyFile) = (place.file("vault"), place.file("key"))
    do throws(StorageError) {
      let store = try StoreInspectorFactory.vault.open(
        vault, InspectionCredentials(keyFile: keyFile))
      _ = try store.inspect()
      for entry in try store.entries(withPrefix: "").prefix(8) {
        _ = try store.bytes(of: entry.name)
      }
    } catch {}
    guard try Data(contentsOf: vault) == file else {
      throw FuzzFailure("the inspection of a vault changed the vault")
    }
    try KeyedStore.exercise { () throws(StorageError) in
      try VaultBackend(at: vault, unlockedBy: .keyFile(keyFile))
    }
  }

  /// Replaces the SHA-256 checksum of the header with the valid one.
  private static func mend(_ file: inout Data) {
    guard file.count >= 76 else { return }
    let size = (0..<4).reduce(0) { $0 | Int(file[8 + $1]) << (8 * $1) }
    guard (76...file.count).contains(size) else { return }
    let end = size - 64
    file.replaceSubrange(end..<end + 32, with: Data(SHA256.hash(data: file[..<end])))
  }

  /// The target for a store of the encryption layer to which the input adds one entry.
  static let encryptedEntry = FuzzTarget("encrypted-entry") {
    let memory = MemoryBackend()
    let layer = try EncryptedBackend(memory, key: .bytes(key))
    for batch in KeyedStore.batches { try layer.apply(batch) }
    return try memory.keys(withPrefix: "").map { name in
      Data([UInt8(name.utf8.count)]) + Data(name.utf8) + (try memory.read(name) ?? Data())
    }
  } run: { input in
    let memory = MemoryBackend()
    let count = Int(input.first ?? 0)
    let name = String(decoding: input.dropFirst().prefix(count), as: UTF8.self)
    let value = Data(input.dropFirst(1 + count))
    do throws(StorageError) {
      _ = try EncryptedBackend(memory, key: .bytes(key))
      try memory.apply([.set(name, value)])
    } catch {
      return
    }
    try KeyedStore.exercise { () throws(StorageError) in
      try EncryptedBackend(memory, key: .bytes(key))
    }
  }
}
