import FixtureLibrary
import Foundation
import Testing
import Undercroft

/// Verifies every value of a store and the order of the names, adds a value, and verifies all
/// values after the store was opened again.
///
/// - Parameter open: opens the store.
func expect<Store: StorageBackend>(
  _ entries: [KeyedValues.Entry], andOneMoreIn open: () throws -> Store,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  do {
    let store = try open()
    try expect(entries, in: store, sourceLocation: sourceLocation)
    try store.apply([.set(KeyedValues.addition.name, KeyedValues.addition.value)])
  }
  try expect(entries + [KeyedValues.addition], in: open(), sourceLocation: sourceLocation)
}

/// Verifies every value of a store and the order of the names.
func expect(
  _ entries: [KeyedValues.Entry], in store: some StorageBackend,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  #expect(
    try store.keys(withPrefix: "").map { Data($0.utf8) } == entries.map { Data($0.name.utf8) },
    sourceLocation: sourceLocation)
  for entry in entries {
    #expect(
      try store.read(entry.name) == entry.value, "\(entry.name)", sourceLocation: sourceLocation)
  }
}

/// Returns the sorted names of all files and folders in a folder.
func names(in folder: URL) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
}
