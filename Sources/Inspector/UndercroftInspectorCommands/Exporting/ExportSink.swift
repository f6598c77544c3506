import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// A destination of exported rows, which are written one by one.
protocol ExportSink {
  /// Begins a table, to which the following rows belong.
  mutating func begin(_ table: ExportedTable) throws
  /// Writes a row of the table.
  mutating func write(_ row: [ResultValue]) throws
  /// Ends a table whose rows were all written.
  mutating func end() throws
  /// Ends a table whose other rows cannot be read, and returns whether the rows that were written
  /// remain in the export.
  mutating func endEarly() throws -> Bool
  /// Flushes the files to the disk, before they get their names.
  func synchronize() throws
}

/// A sink that writes one JSON object on each line to one file.
struct LineSink: ExportSink {
  private var table: ExportedTable?
  private var file: BufferedFile

  /// Creates a sink that writes to a new file, or to standard output if `path` is `nil`.
  init(_ path: String?) throws(StorageError) { file = try BufferedFile(path) }

  mutating func begin(_ table: ExportedTable) { self.table = table }

  mutating func write(_ row: [ResultValue]) throws {
    if let table { try file.write(table.line(row)) }
  }

  mutating func end() throws { try file.flush() }

  mutating func endEarly() throws -> Bool {
    try file.flush()
    return true
  }

  func synchronize() throws { try file.synchronize() }
}

/// A sink that writes each table to a separate file in a folder, and removes incomplete files.
struct FolderSink: ExportSink {
  private let folder: String
  private let isSafeForSpreadsheets: Bool
  private var table: ExportedTable?
  private var encoder: (any RowEncoder)?
  private var file: BufferedFile?

  /// Creates a sink for files in an existing folder.
  ///
  /// - Parameter isSafeForSpreadsheets: whether a spreadsheet must not calculate fields of
  ///   comma-separated values as formulas.
  init(_ folder: String, isSafeForSpreadsheets: Bool) {
    self.folder = folder
    self.isSafeForSpreadsheets = isSafeForSpreadsheets
  }

  mutating func begin(_ table: ExportedTable) throws {
    var options = OutputOptions()
    options.table = table.name ?? table.kind
    options.isSafeForSpreadsheets = isSafeForSpreadsheets
    var encoder = table.format.output.encoder(options)
    let path = self.path(of: table)
    var file = try OutputFailure.converting { () throws(StorageError) in try BufferedFile(path) }
    if table.format != .ndjson { try file.write(encoder.begin(table.columns)) }
    (self.table, self.encoder, self.file) = (table, encoder, file)
  }

  mutating func write(_ row: [ResultValue]) throws {
    guard let table, var encoder else { return }
    try file?.write(table.format == .ndjson ? table.line(row) : encoder.encode(row))
    self.encoder = encoder
  }

  mutating func end() throws {
    if table?.format != .ndjson, var encoder { try file?.write(encoder.end()) }
    try file?.flush()
    try file?.synchronize()
    (table, encoder, file) = (nil, nil, nil)
  }

  mutating func endEarly() throws -> Bool {
    // The error may precede the first row, and so the file.
    guard let table else { return false }
    let path = self.path(of: table)
    (self.table, encoder, file) = (nil, nil, nil)
    try OutputFailure.converting { () throws(StorageError) in
      guard unlink(path) == 0 else { throw StorageError.system("remove", path) }
    }
    return false
  }

  private func path(of table: ExportedTable) -> String { folder + "/" + table.fileName }

  func synchronize() throws {
    try OutputFailure.converting { () throws(StorageError) in try Folder.synchronize(folder) }
  }
}
