import CZlib
import Foundation
import UndercroftCore
import UndercroftFiles
import UndercroftInspection

extension FuzzTarget {
  /// The target for single files.
  ///
  /// If the input is framed, its body is compressed and receives a valid header.
  static let singleFile = FuzzTarget("single-file") {
    let place = try Workplace()
    let file = place.file("archive")
    do {
      let backend = try SingleFileBackend(at: file)
      for batch in KeyedStore.batches { try backend.apply(batch) }
    }
    var entry = Data(UInt32(4)) + Data(UInt32(4))
    entry += Data("bookEmma".utf8)
    return [Data([0]) + (try Data(contentsOf: file)), Data([1, 1]) + entry]
  } run: { input in
    let place = try Workplace()
    let (isFramed, body) = Framing.split(input)
    try place.write(isFramed ? compressed(body) : body, to: "archive")
    let file = place.file("archive")
    try KeyedStore.exercise { () throws(StorageError) in
      try SingleFileBackend(at: file, maximumSize: 1 << 20)
    }
  }

  /// Returns a file with the compressed body, whose first byte is the number of entries in the
  /// header.
  private static func compressed(_ body: Data) -> Data {
    let entries = [UInt8](body.dropFirst())
    var size = compressBound(uLong(entries.count))
    var stream = [UInt8](repeating: 0, count: Int(size))
    compress(&stream, &size, entries, uLong(entries.count))
    let packed = Data(stream.prefix(Int(size)))
    var header = Data("UNDFILE1".utf8) + Data(UInt64(body.first ?? 0))
    header.append(UInt64(entries.count))
    header.append(UInt64(packed.count))
    header.append(packed.checksum)
    return header + Data(header.checksum) + packed
  }

  /// The target for the commit record of a batch of files.
  ///
  /// If the input is framed, it receives a valid checksum.
  static let batchRecord = FuzzTarget("batch-record") {
    let steps = "undercroft batch 1\nset .undercroft-5f3a.staged loan\nremove reader\n"
    return [Data([1]) + Data(steps.utf8), Data([0]) + Data((steps + "sum 2137143058\n").utf8)]
  } run: { input in
    let place = try Workplace()
    let files = place.folder.appending(path: "files", directoryHint: .isDirectory)
    do throws(StorageError) {
      let backend = try FileBackend(in: files)
      try backend.apply([.set("reader", Data("Grace".utf8)), .set("shelf", Data("A".utf8))])
    } catch {
      throw FuzzFailure("a new folder cannot be used: \(error)")
    }
    var (isFramed, record) = Framing.split(input)
    if isFramed { record += Data("sum \(record.checksum)\n".utf8) }
    try place.write(Data("outside".utf8), to: "outside")
    try place.write(record, to: "files/.undercroft-batch")
    try place.write(Data("staged".utf8), to: "files/.undercroft-5f3a.staged")
    try KeyedStore.exercise { () throws(StorageError) in try FileBackend(in: files) }
    guard try Data(contentsOf: place.file("outside")) == Data("outside".utf8) else {
      throw FuzzFailure("a batch record has changed a file outside of its folder")
    }
  }

  /// The target for the manifest of a home.
  static let manifest = FuzzTarget("manifest") {
    [
      Data(
        """
        {"application": "shelf", "routes": [{"backend": "gdbm", "codec": "json", "isConfidential": false, \
        "kind": "preference", "path": "preferences.gdbm", "prefix": ""}], "version": 1}
        """.utf8)
    ]
  } run: { input in
    let manifest: StorageManifest
    do throws(StorageError) {
      manifest = try StorageManifest(decoding: input, from: "undercroft.json")
    } catch {
      return
    }
    for route in manifest.routes { _ = route.url(in: URL(filePath: "/home/ada/shelf")) }
    guard try StorageManifest(decoding: manifest.encoded, from: "undercroft.json") == manifest
    else { throw FuzzFailure("a manifest differs after it was encoded and decoded") }
  }
}
