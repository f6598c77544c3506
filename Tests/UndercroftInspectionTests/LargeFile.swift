import Foundation
import Testing

/// Creates a sparse file whose copy takes longer than sending a signal.
func createLargeFile(at path: String) throws {
  #expect(FileManager.default.createFile(atPath: path, contents: Data()))
  let file = try FileHandle(forWritingTo: URL(filePath: path))
  try file.truncate(atOffset: 1 << 28)
  try file.close()
}
