import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An opened snapshot of our own format: names are found by halving, values checked when they are read.
final class SortedSnapshot: Snapshot {
  let count: Int
  private let bytes: [UInt8]
  private let path: String

  init(_ data: Data, path: String) throws(StorageError) {
    let bytes = [UInt8](data)
    guard let count = Self.count(in: bytes) else {
      throw StorageError(
        .corrupted, "cannot read \(quoted(path)): its header or index is damaged",
        cure: "restore it from a backup; nothing was changed")
    }
    self.bytes = bytes
    self.count = count
    self.path = path
    // A damaged name would lead the search astray and look like absence, so all sums are checked now.
    var last = ""
    for place in 0..<count {
      guard let entry = entry(place), isWhole(entry),
        place == 0 || last.utf8.lexicographicallyPrecedes(entry.name.utf8)
      else { throw damaged(entry: place) }
      last = entry.name
    }
  }

  private static func count(in bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer)
      guard let magic = reader.take(8), magic.elementsEqual(SortedFormat.magic),
        let count = reader.number(UInt64.self), let indexSum = reader.number(UInt32.self),
        let headerSum = reader.number(UInt32.self),
        Checksum.of(bytes[..<20]) == headerSum,
        let size = Int(exactly: count).flatMap({ Int(exactly: $0.multipliedFullWidth(by: 8).low) }),
        count < 1 << 56, let index = reader.take(size), Checksum.of(index) == indexSum
      else { return nil }
      return Int(count)
    }
  }

  func read(_ name: String) throws(StorageError) -> Data? {
    let place = try firstPlace(notBefore: Array(name.utf8))
    guard place < count, let entry = entry(place), entry.name == name else { return nil }
    return Data(bytes[entry.valueStart..<entry.end])
  }

  func names(withPrefix prefix: String) throws(StorageError) -> [String] {
    var names: [String] = []
    var place = try firstPlace(notBefore: Array(prefix.utf8))
    while place < count {
      guard let entry = entry(place) else { throw damaged(entry: place) }
      guard entry.name.utf8.starts(with: prefix.utf8) else { break }
      names.append(entry.name)
      place += 1
    }
    return names
  }

  private struct Entry {
    let start: Int
    let name: String
    let valueStart: Int
    let end: Int
  }

  private func entry(_ place: Int) -> Entry? {
    bytes.withUnsafeBytes { buffer in
      var index = ByteReader(buffer, at: SortedFormat.headerSize + place * 8)
      guard let offset = index.number(UInt64.self).flatMap(Int.init(exactly:)) else { return nil }
      var reader = ByteReader(buffer, at: offset)
      guard let nameCount = reader.number(UInt32.self), let count = reader.number(UInt32.self),
        reader.number(UInt32.self) != nil, let name = reader.take(Int(nameCount)),
        let text = String(validating: name, as: UTF8.self)
      else { return nil }
      let valueStart = reader.offset
      guard reader.take(Int(count)) != nil else { return nil }
      return Entry(start: offset, name: text, valueStart: valueStart, end: reader.offset)
    }
  }

  private func isWhole(_ entry: Entry) -> Bool {
    let kept = bytes.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer, at: entry.start + 8)
      return reader.number(UInt32.self)
    }
    return SortedFormat.sum(ofEntry: bytes[entry.start..<entry.end]) == kept
  }

  private func firstPlace(notBefore wanted: [UInt8]) throws(StorageError) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      guard let entry = entry(middle) else { throw damaged(entry: middle) }
      if entry.name.utf8.lexicographicallyPrecedes(wanted) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private func damaged(entry place: Int) -> StorageError {
    StorageError(
      .corrupted, "cannot read \(quoted(path)): entry \(place) is damaged",
      cure: "restore the file from a backup; nothing was changed")
  }
}
