//! Groups documents by topic, using TF-IDF over their words, and finds a word to name each group.

use std::collections::{BTreeMap, HashMap, HashSet};

/// The maximum number of documents that are compared with each other. Further documents join the resulting groups.
const MOST_COMPARED: usize = 400;

/// The maximum number of distinct words per document; the most frequent ones are used.
const MOST_WORDS: usize = 300;

/// The minimum length of a word. Shorter words carry little meaning.
const SHORTEST_WORD: usize = 4;

/// Words that occur in every text, in the most common languages of the documents.
const EVERYDAY: &str = "this that with from have will your they were been their there which would about could should \
    what when where while than then them these those into only also just over such some more most other each every \
    after before between because please very here both does doing down during having again against same until under \
    upon within without being much many dear regards thank thanks first last next like make made well take back good \
    eine einen einem einer eines nicht auch sich oder aber wenn wird werden wurde haben sind ihre ihren ihrem unser \
    unsere unserer bitte nach noch schon sehr über unter zwischen durch beim diese dieser dieses diesem alle alles dass \
    mehr kann können muss soll dann denn damit pour dans avec vous nous sont cette mais plus leur tout tous comme elle \
    para como este esta pero sobre desde entre cuando";

/// The mean cosine similarity from which two groups are merged. In the sample inbox, invoices of four companies have a
/// similarity of 0.17 to 0.26, and documents that share only their author are below 0.13.
const ALIKE: f32 = 0.15;

/// The minimum number of documents in a group.
const FEWEST: usize = 3;

/// A group of documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Topic {
    /// The indices of the documents in the input.
    pub(super) members: Vec<usize>,
    /// The word that most of the documents share and others do not.
    pub(super) name: String,
}

/// The weighted words of a document, sorted by word. The norm is 1.
type Vector = Vec<(u32, f32)>;

/// Groups texts by topic. Texts without words belong to no group.
pub(super) fn group(texts: &[String]) -> Vec<Topic> {
    let words: Vec<BTreeMap<String, u32>> = texts.iter().map(|text| count(text)).collect();
    let mut documents_with: HashMap<&str, usize> = HashMap::new();
    for word in words.iter().flat_map(BTreeMap::keys) {
        *documents_with.entry(word).or_default() += 1;
    }
    // Words that occur in nearly all texts carry no information.
    let most = (texts.len() * 4 / 5).max(FEWEST + 1);
    let mut known: Vec<&str> = documents_with
        .iter()
        .filter(|(_, count)| (2..=most).contains(*count))
        .map(|(word, _)| *word)
        .collect();
    known.sort_unstable();
    let ids: HashMap<&str, u32> = known.iter().copied().zip(0..).collect();
    let weight = |word: &str| (texts.len() as f32 / documents_with[word] as f32).ln() + 0.1;
    let vectors: Vec<Vector> = words.iter().map(|words| vector(words, &ids, weight)).collect();
    let mut topics = Vec::new();
    for members in clusters(&vectors) {
        if members.len() >= FEWEST
            && let Some(name) = name(&members, &words, &documents_with)
        {
            topics.push(Topic { members, name });
        }
    }
    topics
}

/// Counts the most frequent words of a text.
fn count(text: &str) -> BTreeMap<String, u32> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let everyday: HashSet<&str> = EVERYDAY.split_whitespace().collect();
    for word in text.split(|letter: char| !letter.is_alphabetic()) {
        if (SHORTEST_WORD..=30).contains(&word.chars().count()) {
            let word = word.to_lowercase();
            if !everyday.contains(word.as_str()) {
                *counts.entry(word).or_default() += 1;
            }
        }
    }
    if counts.len() > MOST_WORDS {
        let mut frequent: Vec<(String, u32)> = counts.into_iter().collect();
        frequent.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        frequent.truncate(MOST_WORDS);
        counts = frequent.into_iter().collect();
    }
    counts
}

fn vector(words: &BTreeMap<String, u32>, ids: &HashMap<&str, u32>, weight: impl Fn(&str) -> f32) -> Vector {
    let weighted = words.iter().map(|(word, count)| (word, (1.0 + (*count as f32).ln()) * weight(word)));
    // Words that occur in no other document count in the norm: the more of them there are, the less similar the
    // document is to others.
    let length = weighted.clone().map(|(_, value)| value * value).sum::<f32>().sqrt();
    let mut vector: Vector =
        weighted.filter_map(|(word, value)| Some((*ids.get(word.as_str())?, value))).collect();
    vector.sort_unstable_by_key(|(id, _)| *id);
    vector.iter_mut().for_each(|(_, value)| *value /= length);
    vector
}

fn likeness(one: &Vector, other: &Vector) -> f32 {
    let (mut sum, mut at) = (0.0, 0);
    for (id, value) in one {
        while other.get(at).is_some_and(|(found, _)| found < id) {
            at += 1;
        }
        if let Some((_, found)) = other.get(at).filter(|(found, _)| found == id) {
            sum += value * found;
        }
    }
    sum
}

/// Merges the two most similar groups until no two groups are similar enough.
fn clusters(vectors: &[Vector]) -> Vec<Vec<usize>> {
    let speaking: Vec<usize> = (0..vectors.len()).filter(|index| !vectors[*index].is_empty()).collect();
    let (compared, further) = speaking.split_at(speaking.len().min(MOST_COMPARED));
    let mut groups: Vec<Vec<usize>> = compared.iter().map(|index| vec![*index]).collect();
    // The sums of the similarities between the documents of two groups. Divided by the number of pairs, they give the
    // mean.
    let sum_of = |one: &[usize], other: &[usize]| -> f32 { likeness(&vectors[one[0]], &vectors[other[0]]) };
    let mut sums: Vec<Vec<f32>> =
        groups.iter().map(|one| groups.iter().map(|other| sum_of(one, other)).collect()).collect();
    while let Some((one, other)) = most_alike(&groups, &sums) {
        let moved = groups.swap_remove(other);
        groups[one].extend(moved);
        let mut row = sums.swap_remove(other);
        for (place, line) in sums.iter_mut().enumerate() {
            let gone = line.swap_remove(other);
            if place != one {
                line[one] += gone;
            }
        }
        row.swap_remove(other);
        for (value, added) in sums[one].iter_mut().zip(row) {
            *value += added;
        }
    }
    for index in further {
        let mean = |group: &Vec<usize>| {
            let sum: f32 = group.iter().map(|member| likeness(&vectors[*index], &vectors[*member])).sum();
            sum / group.len() as f32
        };
        let best = groups
            .iter_mut()
            .map(|group| (mean(group), group))
            .max_by(|one, other| one.0.total_cmp(&other.0));
        if let Some((_, group)) = best.filter(|(mean, group)| *mean >= ALIKE && group.len() < MOST_COMPARED) {
            group.push(*index);
        }
    }
    for group in &mut groups {
        group.sort_unstable();
    }
    groups.sort();
    groups
}

/// Returns the two most similar groups if they are similar enough, with the smaller index first.
fn most_alike(groups: &[Vec<usize>], sums: &[Vec<f32>]) -> Option<(usize, usize)> {
    let mut best = (ALIKE, None);
    for other in 1..groups.len() {
        for one in 0..other {
            let mean = sums[one][other] / (groups[one].len() * groups[other].len()) as f32;
            if mean > best.0 {
                best = (mean, Some((one, other)));
            }
        }
    }
    best.1
}

/// Returns the word that most documents of a group share and that is rarest in other documents.
fn name(
    members: &[usize],
    words: &[BTreeMap<String, u32>],
    documents_with: &HashMap<&str, usize>,
) -> Option<String> {
    let mut shared: HashMap<&str, usize> = HashMap::new();
    for word in members.iter().flat_map(|member| words[*member].keys()) {
        *shared.entry(word).or_default() += 1;
    }
    let score = |word: &str, inside: usize| {
        let share = inside as f32 / members.len() as f32;
        share * share * inside as f32 / documents_with[word] as f32
    };
    let candidates = shared.into_iter().filter(|(_, inside)| inside * 5 >= members.len() * 3);
    let best = candidates.max_by(|(one, first), (other, second)| {
        score(one, *first)
            .total_cmp(&score(other, *second))
            .then_with(|| one.len().cmp(&other.len()))
            .then(other.cmp(one))
    });
    let (word, _) = best?;
    let mut letters = word.chars();
    let first = letters.next()?;
    Some(first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn documents_about_the_same_are_found_among_others() {
        let found = group(&texts(&[
            "Invoice number 12 amount payable electricity customer, please transfer the amount",
            "Sourdough bread: flour, water, salt; knead the dough and bake",
            "Invoice number 99 amount payable hosting customer, domain renewal",
            "Minutes of the club, present were the members, next meeting in spring",
            "Invoice for printing, amount payable by customer within days",
            "Rye bread: flour, water, leaven; rest the dough and bake with steam",
            "White bread: flour, water, yeast, salt; knead the dough and bake",
        ]));
        let groups: Vec<_> = found.iter().map(|topic| topic.members.clone()).collect();
        assert_eq!(groups, [vec![0, 2, 4], vec![1, 5, 6]]);
        assert!(["Payable", "Customer", "Invoice", "Amount"].contains(&found[0].name.as_str()), "{found:?}");
        assert!(["Flour", "Dough", "Bake", "Bread", "Water"].contains(&found[1].name.as_str()), "{found:?}");
    }

    #[test]
    fn what_has_nothing_in_common_or_no_words_makes_no_group() {
        assert!(
            group(&texts(&["alpha beta gamma", "delta epsilon", "zeta theta iota", "", "123 456"]))
                .is_empty()
        );
        assert!(group(&[]).is_empty());
        assert!(group(&texts(&["", "", ""])).is_empty());
    }

    #[test]
    fn more_documents_than_are_compared_join_the_groups_that_there_are() {
        let kinds =
            ["invoice amount payable customer", "bread flour dough oven", "meeting minutes members club"];
        let many: Vec<String> = (0..MOST_COMPARED + 200).map(|index| kinds[index % 3].to_owned()).collect();
        let found = group(&many);
        assert_eq!(found.len(), 3);
        assert_eq!(found.iter().map(|topic| topic.members.len()).sum::<usize>(), many.len());
    }
}
