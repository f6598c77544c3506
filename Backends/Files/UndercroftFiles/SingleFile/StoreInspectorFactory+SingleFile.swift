import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
public import UndercroftInspection

extension StoreInspectorFactory {
  /// A factory that opens single-file stores for inspection, and decompresses gzip data.
  public static var singleFile: StoreInspectorFactory {
    StoreInspectorFactory(scheme: "singleFile") { candidate in
      candidate.start.starts(with: SingleFileFormat.magic)
    } open: { (url, _) throws(StorageError) in
      try SQLiteFile.reject(at: url.path(percentEncoded: false))
      return try SingleFileInspector(path: url.path(percentEncoded: false), limit: 1 << 30)
    }.with(editing: { (url, _, timeout) throws(StorageError) in
      try StorageError.reportingBusy { () throws(StorageError) in
        try SingleFileBackend(at: url, lockTimeout: timeout)
      }
    })
    .with(decompression: Gzip.decompress)
    .with(copying: StoreCopying(omittedSuffixes: [".lock"]))
  }
}
