import Foundation

/// The part of a symbol graph of the Swift compiler that describes declarations.
package struct SymbolGraph: Decodable {
  package struct Symbol: Decodable {
    let identifier: Identifier
    let kind: Kind
    let pathComponents: [String]
    let declarationFragments: [Fragment]?
    let swiftExtension: Extension?
  }

  struct Identifier: Decodable { let precise: String }
  struct Kind: Decodable { let identifier: String }
  struct Fragment: Decodable { let spelling: String }
  struct Extension: Decodable { let constraints: [Constraint]? }

  struct Constraint: Decodable {
    let kind: String
    let lhs: String
    let rhs: String
  }

  struct Relationship: Decodable {
    let kind: String
    let source: String
    let target: String
    let targetFallback: String?
    let swiftConstraints: [Constraint]?
  }

  package let symbols: [Symbol]
  let relationships: [Relationship]
}
