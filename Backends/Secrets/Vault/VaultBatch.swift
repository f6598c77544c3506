import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The plain text of a record: its changes, then zeros up to a size that says little about them.
enum VaultBatch {
  private static let setMark: UInt8 = 1
  private static let removeMark: UInt8 = 2

  static func encode(_ changes: [Change]) throws(StorageError) -> Data {
    var body = ByteWriter()
    for change in changes {
      body.put(setMark(of: change))
      body.put(UInt32(truncatingIfNeeded: change.name.utf8.count))
      body.put(change.name)
      guard case .set(_, let bytes) = change else { continue }
      guard let count = UInt32(exactly: bytes.count) else { throw tooLarge }
      body.put(count)
      body.put(bytes)
    }
    guard body.bytes.count < 1 << 30 else { throw tooLarge }
    var writer = ByteWriter()
    writer.put(UInt32(truncatingIfNeeded: body.bytes.count))
    writer.put(Data(body.bytes))
    writer.put(Data(count: paddedSize(writer.bytes.count) - writer.bytes.count))
    return Data(writer.bytes)
  }

  static func decode(_ plain: Data) -> [Change]? {
    [UInt8](plain).withUnsafeBytes { buffer in
      var whole = ByteReader(buffer)
      guard let count = whole.number(UInt32.self), let body = whole.take(Int(count)) else {
        return nil
      }
      var reader = ByteReader(body)
      var changes: [Change] = []
      while !reader.isAtEnd {
        guard let mark = reader.number(UInt8.self), let count = reader.number(UInt32.self),
          let bytes = reader.take(Int(count)), let name = String(validating: bytes, as: UTF8.self)
        else { return nil }
        switch mark {
        case setMark:
          guard let count = reader.number(UInt32.self), let value = reader.take(Int(count)) else {
            return nil
          }
          changes.append(.set(name, Data(value)))
        case removeMark: changes.append(.remove(name))
        default: return nil
        }
      }
      return changes
    }
  }

  /// Steps of 256 bytes up to 4 KiB, then steps of at most an eighth of the size.
  static func paddedSize(_ count: Int) -> Int {
    let step = count <= 4_096 ? 256 : 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount - 3)
    return (count + step - 1) / step * step
  }

  private static func setMark(of change: Change) -> UInt8 {
    if case .set = change { return setMark }
    return removeMark
  }

  private static var tooLarge: StorageError {
    StorageError(
      .tooLarge, "cannot seal a batch of more than 1 GiB",
      cure: "keep large values as .blob in an encrypted folder of files")
  }
}
