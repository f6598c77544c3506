#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Writes numbers little-endian, with their lengths before names and values.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  package mutating func put<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func put(_ data: Data) { data.withUnsafeBytes { bytes.append(contentsOf: $0) } }

  package mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  package mutating func overwrite(_ number: UInt32, at offset: Int) {
    withUnsafeBytes(of: number.littleEndian) {
      bytes.replaceSubrange(offset..<offset + 4, with: $0)
    }
  }

  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

/// Reads what ``ByteWriter`` wrote, and answers `nil` where the bytes end early.
package struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  package private(set) var offset: Int

  package init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  package var isAtEnd: Bool { offset >= bytes.count }

  package mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    guard let slice = take(MemoryLayout<Number>.size) else { return nil }
    return Number(littleEndian: slice.loadUnaligned(as: Number.self))
  }

  package mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, offset >= 0, bytes.count - offset >= count else { return nil }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }
}
