import Foundation
import UndercroftCore
import UndercroftKeyValue

extension FuzzTarget {
  /// The target for the journal of a settings store.
  ///
  /// If the input is framed, its parts are changes, in records with valid checksums.
  static let journal = FuzzTarget("journal") {
    let place = try Workplace()
    let store = place.file("settings")
    do {
      let backend = try JournalledBackend(at: store)
      for batch in KeyedStore.batches { try backend.apply(batch) }
    }
    let file = try Data(contentsOf: place.file("settings.journal"))
    var changes = Data([1])
    for part in [Data("book".utf8), Data("Emma".utf8)] {
      changes.append(UInt32(part.count))
      changes += part
    }
    return [Data([0]) + file, Framing.joined([changes, changes])]
  } run: { input in
    let place = try Workplace()
    let (isFramed, body) = Framing.split(input)
    var file = isFramed ? Data("UNDJRNL1".utf8) : body
    if isFramed {
      for part in Framing.parts(body) {
        file.append(UInt32(part.count))
        file.append(Data(UInt32(part.count)).checksum)
        file.append(part.checksum)
        file += part
      }
    }
    try place.write(file, to: "settings.journal")
    let store = place.file("settings")
    try KeyedStore.exercise { () throws(StorageError) in try JournalledBackend(at: store) }
  }

  /// The target for the sorted snapshot of a settings store.
  ///
  /// If the input is framed, its parts are entries, each with an offset in the index.
  static let sortedSnapshot = FuzzTarget("sorted-snapshot") {
    let place = try Workplace()
    let store = place.file("settings")
    do {
      let backend = try JournalledBackend(at: store)
      for batch in KeyedStore.batches { try backend.apply(batch) }
      try backend.checkpoint()
    }
    let entry = Data([0, 0]) + Data([4]) + Data("bookEmma".utf8)
    return [Data([0]) + (try Data(contentsOf: store)), Framing.joined([entry])]
  } run: { input in
    let place = try Workplace()
    let (isFramed, body) = Framing.split(input)
    try place.write(isFramed ? snapshot(Framing.parts(body)) : body, to: "settings")
    let store = place.file("settings")
    try KeyedStore.exercise { () throws(StorageError) in try JournalledBackend(at: store) }
  }

  /// Returns a snapshot with valid checksums, in which the first two bytes of each part shift its
  /// offset in the index.
  private static func snapshot(_ parts: [Data]) -> Data {
    let start = 24 + 8 * parts.count
    var (index, entries) = (Data(), Data())
    for part in parts where part.count >= 3 {
      let shift = Int(part[0]) | Int(part[1]) << 8
      index.append(UInt64(start + entries.count - min(shift, entries.count)))
      let text = part.dropFirst(3)
      let name = Data(text.prefix(Int(part[2])))
      let value = Data(text.dropFirst(name.count))
      let lengths = Data(UInt32(name.count)) + Data(UInt32(value.count))
      entries += lengths + Data((lengths + name + value).checksum) + name + value
    }
    var header = Data("UNDSNAP1".utf8) + Data(UInt64(index.count / 8))
    header.append(index.checksum)
    return header + Data(header.checksum) + index + entries
  }
}
