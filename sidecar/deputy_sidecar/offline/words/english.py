"""English: meanings, each with its phrases, separated by `|`."""

from __future__ import annotations

from typing import Final

__all__ = ["FILLERS", "MEANINGS", "MONTHS", "NUMBERS", "PHRASE_FILLERS", "TIMES", "TYPOS", "VAGUE"]

MEANINGS: Final[dict[str, str]] = {
    # What is done.
    "do:list": "check for|scan for|hunt for|hunt down|track down|dig up|dig out|look out for|locate all|turn up|hand me|look up|bring me|present|let me know|spot|point out|search out|list out|list me|list of all|print out a list of|wanna see|want to see|need to see|like to see|give us|a table of|table of|list|find|show|display|show me|give me|get me|tell me|look for|looking for|locate|identify"
    "|see|view|print a list of|make a list of|a list of|list of|provide|provide a list of|produce a list of|pull up|bring up"
    "|name of|what is the name of|what are the names of|names of|let me see|find out|finding|show us|listing|listing of"
    "|determine|where can i find|i need|i want to see|get|fetch|finds|lists|shows|enumerate|report",
    "do:where": "where would i find|where can i find|where do i find|where do we keep|where do i keep|in which folder is|in what folder is|which folder is|in which folder are|whereabouts is|where exactly is|i can't find|i cannot find|i cant find|can't find|cannot find|i lost|i misplaced|where did i leave|where have i saved|where is|where's|wheres|where are|where did i put|where did i save|where did|where do i have|where have i put|where",
    "do:which": "which|what|what's|whats|which of|which one|which ones|what kind of",
    "do:exists": "is there|are there|do i have|do we have|have i got|do i even have|is any|do you see|does this folder have"
    "|check if there is|check if there's|check whether there is|check whether there are|check if there are|is there any"
    "|are there any|whether|verify whether|check whether|determine whether|determine if|check if|exist|exists",
    "do:count": "how many|count|number of|the number of|total number of|how much files|count of",
    "do:size": "how much does|how many bytes|how many megabytes|how much memory|what size is|what is the size of|what's the size of|whats the size of|how many mb|how many gb|how big|how large|size of|the size of|total size|total size of|how much space|how much room|how much disk space"
    "|how much storage|combined size of|combined size|how heavy|disk usage of|compute the total size of|sum of the sizes of",
    "do:usage": "disk usage|takes the most space|takes up the most space|take the most space|take up the most space|uses the most space"
    "|using the most space|what takes up space|eating my disk|eating up my disk|eating up the space|taking up the most space"
    "|takes the most room|takes up the most room|is eating up my disk|eating space|takes up most space|use the most space"
    "|where did all my disk space go|why is my disk full|taking up space|is using all the space|taking up the most room|take up the most room|taking the most space|are taking up the most space|eating the most space|uses up the most space|use up the most space|takes the most disk space|hogging space|is hogging my disk|biggest space hogs|space hogs",
    "do:trash": "yeet|get shot of|eliminate|bin off|kick out|send to the trash|trash them|throw in the trash|throw in the bin|remove from my computer|delete|remove|trash|erase|get rid of|throw away|throw out|throw|bin|dispose of|discard|deleting|removing|clear out|clear"
    "|wipe|drop|del|rm|purge|toss|toss out|deleted|removed|trashing|ditch|delete the file|chuck|chuck out|scrap|nuke",
    "do:move": "shove|slide|pop|transport|dump into|get moved|put away|sweep|move|bring|put|relocate|transfer|shift|mv|moving|stick|place|drag|moved|putting|throw over|file away",
    "do:copy": "copy|duplicate to|back up|backup to|make a copy of|make copies of|copying|cp|copied|put a copy of|put copies of|save a copy of",
    "do:rename": "name|rename|renaming|change the name of|ren|renamed|call|give the name",
    "do:create": "create|make|mkdir|add|set up|creating|make me|make us|start",
    "do:read": "read|open|cat|show the content of|show the contents of|show me the contents of|show me the content of|display the contents of"
    "|display the content of|contents of|the contents of|content of|what is in the file|what's in the file|whats in the file|what does|print|type out|read out|read me",
    "of": "of",
    "do:search": "search for|searching for|search|grep for|look for the text|search all",
    "do:lines": "grep|grep -r|lines with|lines containing|lines that contain|the lines with|lines that mention|lines mentioning|every line with"
    "|all lines with|all lines containing|all lines that contain|every line containing|every line that contains|lines that have|lines that hold|occurrences of|every occurrence of",
    "do:head": "head of|head|first lines of|beginning of|the beginning of|the start of|start of|top of",
    "do:tail": "tail of|tail|last lines of|end of|the end of",
    "do:tidy": "tidy up|tidy|clean up|organize|organise|sort out|declutter|put in order|sort into folders|bring order to|clean out",
    "do:group": "group|sort|arrange|order|sorted",
    "do:tree": "tree|folder tree|directory tree|folder structure|structure|tree of|directory structure",
    "do:overview": "overview|overview of|give me an overview|summary|summary of|contents|what is in|what's in|whats in|what is inside|what's inside"
    "|whats inside|what is here|what's here|whats here|what do i have in|what have i got in|what all is in|inventory|ls|dir|look at what is in|what do we have in",
    "do:write": "put the names of|put names of|put the list of|put all names of|write|save|store|export|put a list of|write a list of|write down|collect|gather|extract|dump|save a list of|write the list of",
    "do:report": "write a report|make a report|report on|report of|write me a report|write me a summary|write up",
    "do:undo": "undo|undo that|undo it|undo this|take that back|take it back|revert that|put it back|put them back|undo the last step|undo the last change|revert it",
    "do:when": "when did i last change|when did i change|when was|when did i last edit|how old is|last modified date of|when did i edit|when did i modify|when did i last modify|when did i create",
    "do:pack": "zip together|make a zip of|make a zip from|zip|zip up|compress|pack|bundle",
    "do:unpack": "untar|unrar|unzip|unpack|uncompress|decompress|extract the archive",
    "do:replace": "replace",
    "do:compare": "compare|diff|difference between|differences between",
    "do:words": "count the words in|word count of|how many words|how many words are in|number of words in|words in",
    "do:linecount": "how many lines|how many lines are in|line count of|number of lines in|count the lines in|count the lines of|count lines in|count lines of|wc -l|how many lines of",
    # What it is about.
    "file": "file|files|one file|single file|documents and files|item|items|things|stuff|thing|entries",
    "folder": "folder|folders|directory|directories|dir|dirs|subfolders|subdirectories",
    "all": "all|al|every|everything|all of|all the|each|entire|whole|all of the|any|anything|each of the|every single|something|some",
    "here": "from all|of all|overall|in all|all over|across all folders|in the whole folder|in the whole thing|over all|here|in here|in this folder|in this directory|in the current folder|in the current directory|in the folder|in the directory|this folder|this directory"
    "|the current folder|the current directory|located in this folder|in this place|contained in this directory|contained in this folder|around here|the workspace"
    "|located in this directory|located here|in my folder|in this one|in there|current folder|anywhere|somewhere|everywhere|hanging around|floating around|lying about|in any folder|in all folders|in all the folders|on this computer|lying around|lying around here|in total|anywhere in here|somewhere in here|anywhere here",
    "top": "only at the top level|on the top level|in the top level|only the top level|not the subfolders|not deeper|in root|in the root|at the top level|top level|directly in here|directly in this folder|directly here|in the top folder|not in a subfolder|not in subfolders"
    "|not in any subfolder|that are not in a subfolder|without subfolders|but not in subfolders|not its subfolders|ignoring subfolders|excluding subfolders|no subfolders",
    "inside": "directly in|directly inside",
    "recursive": "in subfolders too|also in subfolders|subfolders included|and below|including sub folders|including the subfolders|and everything below|as well as subfolders|subfolders too|including subfolders|and subfolders|recursively|and all subfolders|and its subfolders|with subfolders|in all subfolders|including all subfolders",
    "empty": "with nothing inside|containing nothing|have nothing in them|has nothing in it|blank|which have nothing in them|of zero bytes|with 0 bytes|with zero bytes|of size zero|of 0 bytes|zero length|empty|that are empty|which are empty|completely empty|totally empty|zero byte|0 byte|that is empty|are empty|is empty|that's completely empty|zero-byte|0-byte|with nothing in them|with nothing in it|without content",
    "duplicate": "doubled|duplicate copies|exact copies|the same file twice|exact duplicates|repeated|doublette|doublettes|copies of each other|clones|double copies|duplicate|duplicates|dupes|dupe|identical|duplicated|double|doubles|twice|more than once|same content|with the same content|that have the same content"
    "|with identical content|copies of the same file|redundant copies|two files with the same content|files that are the same|the same",
    "new": "new",
    "biggest": "most big|most large|most heavy|beefiest|chunkiest|hugest|taking the most space|which takes the most space|biggest|largest|heaviest|bigger|largest ones|most space|fattest",
    "smallest": "most small|lightest|smallest|tiniest|littlest",
    "newest": "most new|freshest|most recently saved|i saved last|last saved|last one saved|newest|changed most recently|was changed most recently|modified most recently|was modified most recently|edited most recently|were changed most recently|was changed last|was edited last|were changed last|changed last|edited last|was modified last|was saved last|latest|most recent|most recently changed|most recently modified|last changed|youngest|last modified|recent|recently changed|recently modified|most recently edited|recently edited",
    "oldest": "most old|most ancient|oldest|least recent|earliest",
    "more": "more big than|more large than|heavier then|bigger as|larger as|more|more than|larger than|bigger than|over|above|exceeding|greater than|>|at least|larger then|bigger then|larger|bigger|heavier than|in excess of|that exceed|upwards of|of at least|no smaller than|not smaller than|>=|not less than|minimum",
    "less": "more small than|smaller as|lighter than|less|less than|smaller than|under|below|fewer than|<|at most|smaller then|up to|no more than|not more than|smaller|of at most|no larger than|no bigger than|not larger than|not bigger than|<=|maximum",
    "older": "more old than|older as|which is older than|that are older than|not newer than|older than|older then|older",
    "newer": "more new than|newer as|not older than|newer than|newer then|younger than|newer|more recent than",
    "before": "before|prior to|earlier than",
    "after": "after|later than",
    "since": "since|starting from|as of|from on|on or after",
    "until": "until|till|up until|through",
    "between": "between",
    "ago": "ago",
    "lastn": "in the most recent|of the last|of the past|for the last|for the past|within the previous|in the previous|in the last|in the past|within the last|within the past|during the last|during the past|over the last|over the past|from the last|from the past|the last|the past|this past|past|last|previous|in this past",
    "this": "this",
    "untouched": "unchanged for|unused for|not used in|not used for|untouched for|that nobody touched for|not edited in|not edited for|not opened for|haven't been used in|haven't been edited in|haven't used in|have not touched in|i have not touched in|i have not touched for|i haven't opened in|not been touched in|haven't been touched in|havent been touched in|not touched in|not been changed in|haven't changed in|havent changed in|not modified in"
    "|not been modified in|not changed in|haven't been modified in|not been opened in|havent been modified in|not changed for|not touched for|haven't touched in|havent touched in"
    "|have not been modified in|have not been changed in|haven't been changed in|haven't opened in|not been touched for|not been modified for|haven't been touched for|havent been touched for|that i haven't touched in",
    "changed": "changed|created on|last edited|modified|edited|touched|updated|last touched|worked on|change|edit|modify|touch|saved|that changed|were changed|was changed|got changed|been changed|taken|created|made|shot|took|dated"
    "|i changed|i edited|i touched|did i change|did i edit|did i touch|did we change|did i modify|work on last|did i work on last",
    # How things are joined.
    "and": "and|as well as|plus|and also|&|&&|along with|together with",
    "or": "or|or else|/|either",
    "not": "not|no|aren't|arent|isn't|isnt|that are not|which are not|that aren't|that arent|not the|don't|that isn't|that is not|non",
    "except": "with exception of|not counting|aside from|other then|exept|skip|skipping|omitting|ignoring|leave out|all except|everything except|everything but|not including|sparing|but keep|and keep|but spare|but please not|except|except for|except the|but not|excluding|apart from|other than|besides|all but|but no|without|leaving out|but leave|save for|bar|with the exception of|minus|but without|and not|but are not|but is not|but do not|but isn't|but aren't",
    "but": "but",
    "then": "once that's done|once done|when done|after this|thereafter|subsequently|lastly|and lastly|and then finally|, and then|then|and then|after that|afterwards|next|finally|and finally|and after that|followed by|and afterwards|when that is done|, then",
    "first": "at first|step one|to start with|first off|first|first of all|to begin with",
    "if": "if|in case|provided that|provided|as long as|only if|when",
    "unless": "unless",
    "only": "only|just the|only the",
    # Where and how called.
    "in": "out of|from out of|sitting in|lying in|that sit in|saved in|kept in|living in|which is in|over in|in my|in|inside|within|from|under|in folder|inside of|located in|from inside|stored in|that are in|which are in|that is in|contained in|that live in|from within|on",
    "in_folder": "in the folder|in the directory|from the folder|inside the folder|of the folder|in a folder|from folder|from the directory|inside the directory|in folder|within the folder|in directory|of the directory|in my folder",
    "not_in": "not in|that are not in|which are not in|but not in|but are not in|except in|except those in|except the ones in|except for those in|outside|outside of|that aren't in|but not those in|but not the ones in|excluding those in|not inside|other than in|other than those in|aren't in|excluding the ones in|excluding the folder",
    "to": "in folder|into a folder called|into a folder named|into a new folder called|into a new folder named|into a new folder|to a new folder|to a folder called|to a folder named|to a new folder called|to a new folder named|in a new folder called|in a new folder named|in a new folder|to|into|onto|over to|over into|inside|in|->|to the folder|into the folder|to folder|into folder|to the directory|into the directory|as|=>|under|in the folder|within",
    "new_folder": "a folder with name|folder with name|a new folder with the name|a new folder with name|a dir called|a dir named|dir called|a new dir called|subfolder called|subfolder named|a new subfolder called|a new subfolder|new folder|their own folder called|its own folder called|one new folder called|another folder called|folders with the names|a folder called|a folder named|a new folder called|a new folder named|the folder called|a new folder|a folder|the folder named|one folder called|one named|one called|a directory called|a directory named|a new directory called|a new directory named|folder called|folder named|folders called|folders named|a subfolder called|a subfolder named|a folder with the name|new folder called|new folder named",
    "there": "there|into it|in it|to it|in there|to there|into there|to that folder|into that folder|in that folder|inside it|over there",
    "named": "with name|under the name|that goes by|known as|by name of|named|called|with the name|by the name of|by the name|titled|name is|whose name is",
    "name_has": "with name containing|whose name contains|whose names contain|with names containing|whose name has|named like|that have in the name|with the name containing|having in their name|whose filename contains|with a name containing",
    "in_name": "in the name|in their name|in its name|in the filename|in the file name|in their names|in the title|in their filename|in the file names|in the filenames|in their file names",
    "starts": "starting with|starts with|that start with|beginning with|that begin with|whose name starts with|whose names start with|whose name begins with|whose names begin with|begins with|that starts with|which start with|with a name starting with|names starting with|start with|begin with|prefixed with",
    "ends": "ending in|ending with|that end in|that end with|ends with|ends in|whose name ends with|whose names end with|whose name ends in|which end in|which end with|end in|end with",
    "extension": "with the extension|with extension|with the ending|of type|with file extension|with the file extension|of the type|with suffix|with the suffix|having the extension",
    "no_extension": "lacking an extension|that lack an extension|having no extension|with no file ending|that have no ending|without ending|with no extension|without extension|without an extension|that have no extension|with no file extension|without a file extension|without any extension",
    "holds": "define|defines|defining|declares|import|imports|importing|says|say|stating|speak of|speaks of|speaking of|deal with|deals with|refers to|refer to|reference|references|stands|is written|are written|that says|which say|with words|has inside|quoting|cite|cites|contain both|containing both|contains both|that contain both|containing|that contain|which contain|contains|contain|mention|mentions|that mention|mentioning|which mention|that mentions|containing the word|that contain the word"
    "|contain the word|contains the word|with the word|that say|has the word|that have the word|containing the text|containing the phrase|contain the text|contain the phrase|containing the string|for the word|for the string|for the text|for the phrase"
    "|that contains|which contains|which mentions|include the word|that include the word|have the word|that talk about|which contain the word|which contains the word|that mention the word|mention the word|mentions the word|with the text|with the phrase|that contain the text|that contain the phrase|that contains the word|the word|the text|the phrase|the string|talks about|talk about",
    "holds_end": "mentioned|appears|appear|occurs|occur|shows up|comes up|is mentioned|are mentioned|is written|is named",
    "holds_not": "not the word|do not contain|don't contain|that do not contain|that don't contain|without the word|not containing|but not the word|not mention|don't mention|but do not contain|but don't contain|but do not mention|but don't mention|do not mention|that do not mention",
    "tagged": "that carry the tag|carrying the tag|bearing the tag|with label|with the label|having tag|tagged|tagged as|tagged with|that are tagged|which are tagged|are tagged|is tagged|that are tagged as|that are tagged with|are tagged as|are tagged with|is tagged as|is tagged with|with the tag|with tag|having the tag|that have the tag|have the tag|has the tag|labelled|labeled|labelled as|labeled as|marked as|that are marked as|are marked as",
    "about": "about|regarding|concerning",
    "and_sizes": "and its size|its size|and the size|with its size|with file size|with file sizes|with name and size|with names and sizes|including size|with size in bytes|with their sizes and dates|with sizes and dates|with size and date|with their size and date|and their sizes and dates|and their sizes|with sizes|with their sizes|and sizes|and how big they are|including sizes|with size|and their size|along with their sizes|with their size",
    "and_dates": "with mtime|with modification time|with modification date|with modification dates|with date|with the date|with their date|including dates|with timestamps|with last modified date|and their dates|with dates|with their dates|and when they were changed",
    # Order and amount.
    "by_size": "ordered by file size|largest on top|biggest on top|sorted by how big they are|by size|by their size|sorted by size|ordered by size|sort by size|in order of size|by file size|sorted by file size",
    "by_date": "in chronological order|chronologically|newest on top|by modified date|by date changed|sorted by modified|sorted by last change|by date|sorted by date|ordered by date|by age|sort by date|by modification date|in order of date|sorted by age|by time|by last modified|by date modified|sorted by modification date",
    "by_name": "by name|sorted by name|alphabetically|in alphabetical order|sort by name|a to z|ordered by name|a-z",
    "by_kind": "by type|by kind|by file type|by extension|by file kind|into folders by type|into folders by kind",
    "by_year": "by year|per year|into folders by year|by the year",
    "by_month": "by month|per month|into folders by month|by year and month",
    "descending": "large to small|big to small|largest on top|newest on top|from new to old|from newest to oldest|biggest ones first|newest ones first|newest at the top|largest at the top|most recent on top|descending|in descending order|largest first|biggest first|newest first|desc|from largest to smallest|from biggest to smallest|latest first|most recent first|starting with the largest|starting with the biggest|starting with the newest|the largest first|the biggest first|the newest first|biggest to smallest",
    "ascending": "small to large|small to big|from old to new|smallest ones first|oldest ones first|oldest at the top|smallest at the top|starting with the oldest one|ascending|in ascending order|smallest first|oldest first|asc|from smallest to largest|the smallest first|the oldest first|from oldest to newest|starting with the oldest|starting with the smallest",
    "top_n": "top|first",
    "each_folder": "in each folder|per folder|by folder|of each folder|for each folder|each folder|in every folder|of every folder",
    "pronoun": "ones|them|it|those|these|that|this one|that one|all of them|they|the ones|those files|these files|the results|that file|it all|both|both of them|them all|that list|the same files|the ones you found",
    "one": "one",
    "left": "left|remaining|remains|left over|what is left|what's left|whats left|still left",
    "same_place": "in the same folder|in the same place|next to it|right next to it|alongside it|in the same directory|beside it|in its folder|right beside it",
    "nth:1": "the first one|first one|the first file|the first of them|the first of those|the 1st one|1st one|number 1|no 1|the 1st file",
    "nth:2": "the second one|second one|the second file|the second of them|the second of those|the 2nd one|2nd one|number 2|no 2|the 2nd file|the second|the 2nd",
    "nth:3": "the third one|third one|the third file|the third of them|the third of those|the 3rd one|3rd one|number 3|no 3|the 3rd file|the third|the 3rd",
    "nth:4": "the fourth one|fourth one|the fourth file|the fourth of them|the fourth of those|the 4th one|4th one|number 4|no 4|the 4th file|the fourth|the 4th",
    "nth:5": "the fifth one|fifth one|the fifth file|the fifth of them|the fifth of those|the 5th one|5th one|number 5|no 5|the 5th file|the fifth|the 5th",
    "nth:6": "the sixth one|sixth one|the sixth file|the sixth of them|the sixth of those|the 6th one|6th one|number 6|no 6|the 6th file|the sixth|the 6th",
    "nth:7": "the seventh one|seventh one|the seventh file|the seventh of them|the seventh of those|the 7th one|7th one|number 7|no 7|the 7th file|the seventh|the 7th",
    "nth:8": "the eighth one|eighth one|the eighth file|the eighth of them|the eighth of those|the 8th one|8th one|number 8|no 8|the 8th file|the eighth|the 8th",
    "nth:9": "the ninth one|ninth one|the ninth file|the ninth of them|the ninth of those|the 9th one|9th one|number 9|no 9|the 9th file|the ninth|the 9th",
    "nth:10": "the tenth one|tenth one|the tenth file|the tenth of them|the tenth of those|the 10th one|10th one|number 10|no 10|the 10th file|the tenth|the 10th",
    "trash_can": "in the trash|to the trash|into the trash|in the bin|to the bin|into the bin|to trash|in trash|in the recycle bin|to the recycle bin|into the recycle bin|in the garbage|in the rubbish",
    "lowercase": "to lowercase|to lower case|lowercase|lower case|in lowercase|to small letters|in lower case",
    "uppercase": "to uppercase|to upper case|uppercase|upper case|in uppercase|in upper case|to capitals",
    "with": "with|by|having|that have|which have",
    "word": "word|text|phrase|string|term",
    "copy_noun": "copies|copy",
    "save_space": "would i save by deleting|can i save by deleting|would be saved by deleting|do i waste with|would i gain by deleting|would i free by deleting|could i save by deleting|is wasted by|do the duplicates waste|would i save by removing",
    "keep_one": "keep one each|keep just one|only keep one|keeping just one|leave one of each|and leave one|leave just one|keep a single copy|but one|keep one|but keep one|and keep one|but keep one of each|keeping one|keeping one of each|keep one of each|leaving one|but keep one copy|keep one copy|keeping one copy|leave one",
    "prefix": "prefix|add the prefix|with the prefix|the prefix",
    "inside_all": "the contents of|contents of|the content of|everything inside|everything in|all contents of|everything inside of|anything in|everything from",
}

# Words that hold a request together and ask for nothing.
FILLERS: Final = (
    "a an the my our go goes went wrote takes use uses meaning totally completely s t  your please pls plz kindly can could would will you u me for us i i'd i've i'm we to do does did so hey hi hello ok okay "
    "well just now also too thanks thank thankyou cheers be are is was were been has have had it's its there's that's that which who in "
    "of with mind like want wanna need want gonna going let's lets let dear computer deputy alright then basically "
    "actually really quickly quick real simply by over up out off away down there here am possible possibly maybe "
    "their such enough as someone somebody anywhere still currently present located available got stored "
    "this these those at on whose than into exactly again already ugh oh um hmm gosh bunch lot lots pretty sure think know "
    "even should shall must go ahead i'll you'd able help try kind nice anymore bit "
    "tell thats im id ive take look one gotta ain't theres there're y'all ur r n whats lemme gimme maybe some-please idk btw tbh rn imo smth literally like-that yep yeah yes yup nope-please sure basically kinda sorta heck damn pretty-please all-good whatever-works"
)
PHRASE_FILLERS: Final = (
    "all right|right now|right away|right here|that's right|may i ask|might i ask|i was wondering|thank you|thanks a lot|if you can|if possible|if you please|would you|could you|can you|would you mind|would you be so kind as to|be so good as to|be so kind as to"
    "|for me|i would like to|i'd like to|i want to|i want you to|i need you to|i would like you to|i'd like you to|go ahead and|will you|if it's not too much trouble|if its not too much trouble"
    "|that we have|that we made|we made|i made|that i made|we took|i took|that i took|that we took|i wrote|that i wrote|i downloaded|that i downloaded|i saved|that i saved|we have|i've saved|we own|i own|i created|that i created|we scanned|i scanned|that i scanned|i've got lying around|that are lying around|that is lying around|there are|please list|file size i mean|i always forget|i can never remember|just the names|only the names|names only|just names|just their names|i guess|i suppose|i reckon|i believe|if any|in one go|all at once|at the same time|as usual|for a change|while you are at it|while you're at it|for good"
    "|a bunch of|my disk is getting full|the logs are eating space|i have no idea|i keep losing|real quick|for a second|i think|i'm pretty sure|im pretty sure|if you don't mind|please and thank you|i do not need|any more|i am looking for|i'm looking for"
    "|side by side|next to each other|have a look at|have a look|take a look at|take a look|have a quick look|hey there|hi there|hello there|altogether|together|oh no|never mind|no wait|my dear|if i remember correctly|as far as i know|for crying out loud|as soon as possible|asap|you know|how do i see|how can i see|that i have|i have|i've got|ive got|that i own|thanks in advance|when you have a moment|when you have time|one more thing|i mean|good morning|good evening|by the way|do me a favor and|let's|can u|could u|in order|are there|out there"
)
# Words that say something which no file shows: who asks by them is asked back, though a name may hold the same letters.
VAGUE: Final = (
    "good bad best nice nicer better worse worst important unimportant useless useful unused old big large small long short huge tiny boring interesting unnecessary needed relevant irrelevant "
    "blurry ugly pretty beautiful favorite favourite broken corrupt corrupted damaged outdated recent latest final-ish temporary-ish paid unpaid signed private personal "
    "wrong right correct same different similar other others rest remaining certain few several many most half spare extra leftover junk crap rubbish garbage unwanted stale ancient weird odd strange funny dark bright sharp unsharp red green blue "
    "nobody somebody anybody last first second third next previous later earlier usual normal special main secret hidden open closed locked whenever"
)
NUMBERS: Final = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
MONTHS: Final = "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sep|sept october|oct november|nov december|dec"
# Times and units.
TIMES: Final[dict[str, str]] = {
    "today|todays": "time:today",
    "yesterday|yesterdays": "time:yesterday",
    "the day before yesterday|day before yesterday": "time:before_yesterday",
    "minute|minutes|min|mins": "unit:minute",
    "hour|hours|hrs|hr": "unit:hour",
    "day|days": "unit:day",
    "week|weeks|wk|wks": "unit:week",
    "month|months": "unit:month",
    "year|years|yr|yrs": "unit:year",
    "year of|the year": "filler",
    "byte|bytes": "bytes:1",
    "kb|kilobyte|kilobytes|kbs": "bytes:1000",
    "mb|megabyte|megabytes|megs|meg|mbs": "bytes:1000000",
    "gb|gigabyte|gigabytes|gigs|gig|gbs": "bytes:1000000000",
    "tb|terabyte|terabytes": "bytes:1000000000000",
    "half a": "number:half",
    "dozen|a dozen": "number:12",
    "couple of|a couple of": "vague",
    "hundred|a hundred": "number:100",
    "line|lines": "line",
}
# Mistakes that many make, and that are too short to be told from other words; never those that are words or names, too.
TYPOS: Final[dict[str, str]] = {
    mistake: word
    for word, mistakes in {
        "which": "wich whcih wihch",
        "that": "taht htat thta",
        "what": "waht wat",
        "today": "tody todya 2day",
        "the": "teh hte",
        "and": "adn nad",
        "are": "ar",
        "list": "lst lsit",
        "show": "shwo sohw",
        "find": "fnid fidn",
        "move": "mvoe moev",
        "with": "wiht wtih",
        "from": "form frm fron",
        "than": "thn",
        "files": "fiels",
        "file": "fiel fil fle flie",
        "rename": "rnaem renmae reanme renam renaem",
        "delete": "delte deelte dlete deleet deltee",
        "copy": "cpoy coyp",
        "to": "ot",
        "my": "ym",
        "how": "hwo",
    }.items()
    for mistake in mistakes.split()
}
